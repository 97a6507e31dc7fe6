// `npm run simulate`: nodes with random faults on a virtual clock, checked after every step.
// Use: npm run simulate -- --seed N --hours H [--nodes N] [--runs N] [--owners yes|no] [--quiet yes|no] [--only 1,2,3]
//      without --seed it chooses and prints one; --runs also runs the next seeds;
//      --owners no leaves out the steps with owners;
//      --quiet no leaves out the hour without steps at the end of a run;
//      --only runs only those steps, to find the relevant ones
import { runBundled } from './bundled.mjs'

await runBundled({ simulate: 'test/simulation/program.ts' }, process.argv.slice(2))
