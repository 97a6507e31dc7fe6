import { configure } from '@testing-library/react'

// How long `findBy` and `waitFor` wait for what comes by itself: a second is short on a busy machine.
configure({ asyncUtilTimeout: 30_000 })
