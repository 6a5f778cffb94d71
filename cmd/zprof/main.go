package main
import ("context";"fmt";"os";"runtime/pprof";"time"
"github.com/seltl/seltl/armc";"github.com/seltl/seltl/check";"github.com/seltl/seltl/program/cfront";"github.com/seltl/seltl/program/cfront/encode";"github.com/seltl/seltl/smt";"github.com/seltl/seltl/budget")
func main(){
 f:=os.Args[1]
 p,err:=check.LoadC([]string{f},cfront.Options{Model:check.ModelOf(f)},nil)
 if err!=nil{panic(err)}
 e,err:=encode.Encode(p,"")
 if err!=nil{panic(err)}
 w,_:=os.Create("/tmp/v/cpu.prof"); pprof.StartCPUProfile(w)
 pool:=smt.Z3Pool(2,smt.Options{})
 n:=0
 o:=armc.Options{Method:armc.Values,NoFacts:true,Limits:budget.Limits{Time:20*time.Second}}
 o.Narrate=func(r armc.Round){ var names []string; for _,t:=range r.Tracked{names=append(names,t.Name())}; fmt.Println(n,r.States,len(r.Path),names); n++}
 res,err:=armc.Check(context.Background(),e.Words,pool,o)
 pprof.StopCPUProfile(); w.Close()
 fmt.Println(err,res.Verdict,res.Reason,res.Stats.States)
}
