; expect: holds
; The moves of the towers of Hanoi, as Z3's rules: for n disks at least n, since each disk
; more needs a move of its own and all those of the others twice.
(declare-rel hanoi (Int Int))
(declare-rel few ())
(declare-var n Int)
(declare-var a Int)
(declare-var b Int)
(declare-var c Int)
(rule (hanoi 1 1))
(rule (=> (and (> n 1) (hanoi (- n 1) a) (hanoi (- n 1) b) (= c (+ a b 1))) (hanoi n c)))
(rule (=> (and (hanoi n c) (< c n)) few))
(query few)
