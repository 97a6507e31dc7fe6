// `npm run simulate`: nodes with random faults on a virtual clock, checked after every step.
// Use: npm run simulate -- --seed N --hours H [--nodes N] [--runs N] [--only 1,2,3]
//      without --seed it chooses and prints one; --runs also runs the next seeds;
//      --only runs only those steps, to find the relevant ones
import { runBundled } from './bundled.mjs'

await runBundled({ simulate: 'test/simulation/program.ts' }, process.argv.slice(2))
