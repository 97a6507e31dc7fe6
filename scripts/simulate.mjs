// `npm run simulate`: nodes to which everything happens that can happen, on a virtual clock, checked after every step.
// Use: npm run simulate -- --seed N --hours H [--nodes N] [--runs N] [--only 1,2,3]
//      without --seed a fresh one is taken, and printed; --runs takes the next seeds after it;
//      --only takes only those steps of a run, to find out which of them matter
import { runBundled } from './bundled.mjs'

await runBundled({ simulate: 'test/simulation/program.ts' }, process.argv.slice(2))
