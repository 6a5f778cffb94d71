; expect: holds
; Ackermann's function is above its second argument: n + 1 is, and by induction each of the
; two nested calls is above its own.
(set-logic HORN)
(set-info :status sat)
(declare-fun ack (Int Int Int) Bool)
(assert (forall ((n Int)) (=> (>= n 0) (ack 0 n (+ n 1)))))
(assert (forall ((m Int) (r Int)) (=> (and (> m 0) (ack (- m 1) 1 r)) (ack m 0 r))))
(assert (forall ((m Int) (n Int) (t Int) (r Int))
  (=> (and (> m 0) (> n 0) (ack m (- n 1) t) (ack (- m 1) t r)) (ack m n r))))
(assert (forall ((m Int) (n Int) (r Int)) (=> (and (ack m n r) (<= r n)) false)))
(check-sat)
