; expect: holds
; Lists that are joined: what comes of a list and one with elements is never the first one
; again, since it has as many elements as both together.
(set-logic HORN)
(set-info :status sat)
(declare-datatypes ((list 0)) (((nil) (cons (head Int) (tail list)))))
(declare-fun append (list list list) Bool)
(assert (forall ((l list)) (append nil l l)))
(assert (forall ((h Int) (l list) (m list) (r list))
  (=> (append l m r) (append (cons h l) m (cons h r)))))
(assert (forall ((l list) (m list)) (=> (and (append l m l) ((_ is cons) m)) false)))
(check-sat)
