; expect: fails
; The moves of the towers of Hanoi are not at most 10: for four disks they are 15.
(declare-rel hanoi (Int Int))
(declare-rel many ())
(declare-var n Int)
(declare-var a Int)
(declare-var b Int)
(declare-var c Int)
(rule (hanoi 1 1))
(rule (=> (and (> n 1) (hanoi (- n 1) a) (hanoi (- n 1) b) (= c (+ a b 1))) (hanoi n c)))
(rule (=> (and (hanoi n c) (> c 10)) many))
(query many)
