; expect: holds
; McCarthy's function: n - 10 above 100, else itself of itself of n + 11, which is 91 for
; all n up to 101: by induction from above, mc(mc(n + 11)) is mc(n + 1) for n from 90 on,
; and mc(91) below.
(set-logic HORN)
(set-info :status sat)
(declare-fun mc (Int Int) Bool)
(assert (forall ((n Int)) (=> (> n 100) (mc n (- n 10)))))
(assert (forall ((n Int) (t Int) (r Int))
  (=> (and (<= n 100) (mc (+ n 11) t) (mc t r)) (mc n r))))
(assert (forall ((n Int) (r Int)) (=> (and (mc n r) (<= n 101) (not (= r 91))) false)))
(check-sat)
