namespace sinew::test {}
