// A routine that calls itself passes the case at which it would return. How large a stack is makes no difference here.
int input(void);

int sum(int n) {
    if (n == 0)
        return 0;
    return n + sum(n - 2);
}

int main(void) {
    return sum(input());
}
