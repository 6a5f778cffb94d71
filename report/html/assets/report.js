// What makes a document of seltl live: a Run for each counterexample in it.
(() => {
  const data = JSON.parse(document.getElementById("seltl-data").textContent);
  const sources = [...document.querySelectorAll("section.source")];
  const lines = sources.reduce((n, s) => n + s.querySelectorAll(".line").length, 0);
  const few = lines * data.report.results.length <= 40000; // lines beside the runs
  data.report.results.forEach((result, i) => {
    const section = document.getElementById("result-" + i), root = section && section.querySelector(".stepper");
    if (!root || !result.counterexample) return;
    const rows = [...section.querySelectorAll("[data-row]")];
    const ways = data.paths.filter(p => p.result === i).map(p => ({ p, picture: document.querySelector(`[data-picture="${p.picture}"]`) }))
      .filter(w => w.picture).map(w => new seltl.Path(w.picture, w.p.states));
    new seltl.Run(root, result.counterexample, {
      cuts: data.cuts.filter(c => c.result === i),
      sources: few ? sources : [],
      onshow: (number, at) => {
        rows.forEach(r => r.classList.toggle("now", r.dataset.row === String(at)));
        ways.forEach(w => w.show(at));
      },
    });
    const steps = section.querySelector(".run details");
    if (steps) steps.open = false; // the run can be stepped through
  });
  document.querySelectorAll(".scroll.paper").forEach(seltl.fixHeads);
  // On paper everything is open.
  window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(d => { d.open = true; }));
})();
