; expect: holds
; An array is filled, and then each of its elements is what it was filled with: for all k from 0 to i-1, a[k] = 7. A solution
; without quantifiers does not say that.
(set-logic HORN)
(set-info :status sat)
(declare-fun L (Int Int (Array Int Int)) Bool)
(declare-fun M (Int Int (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int))) (L 0 n a)))
(assert (forall ((i Int) (n Int) (a (Array Int Int))) (=> (and (L i n a) (< i n)) (L (+ i 1) n (store a i 7)))))
(assert (forall ((i Int) (n Int) (a (Array Int Int))) (=> (and (L i n a) (>= i n)) (M 0 n a))))
(assert (forall ((i Int) (n Int) (a (Array Int Int))) (=> (and (M i n a) (< i n)) (M (+ i 1) n a))))
(assert (forall ((i Int) (n Int) (a (Array Int Int))) (=> (and (M i n a) (< i n) (not (= (select a i) 7))) false)))
(check-sat)
