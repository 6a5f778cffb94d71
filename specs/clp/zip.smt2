; expect: holds
; Two lists of different sorts, joined element by element: of a list with one element comes none with two.
(set-logic HORN)
(set-info :status sat)
(declare-datatypes ((Pair 2) (List 1)) (
  (par (A B) ((pair (first A) (second B))))
  (par (T) ((nil) (cons (head T) (tail (List T)))))))
(define-fun single ((a (List Int))) Bool (match a ((nil false) ((cons _ rest) (= rest nil)))))
(declare-fun zip ((List Int) (List Bool) (List (Pair Int Bool))) Bool)
(assert (forall ((a (List Int)) (b (List Bool)))
  (=> (or (= a nil) (= b nil)) (zip a b nil))))
(assert (forall ((x Int) (y Bool) (a (List Int)) (b (List Bool)) (c (List (Pair Int Bool))))
  (=> (zip a b c) (zip (cons x a) (cons y b) (cons (pair x y) c)))))
(assert (forall ((a (List Int)) (b (List Bool)) (p (Pair Int Bool)) (q (Pair Int Bool)) (c (List (Pair Int Bool))))
  (=> (and (zip a b (cons p (cons q c))) (single a)) false)))
(check-sat)
