// `npm run fuzz`: random requests at a sandbox's API over HTTPS, and random manifests in a folder that is read.
// Use: npm run fuzz -- [--seed N] [--requests N] [--manifests N]
//      without --seed it chooses and prints one
import { parseArgs } from 'node:util'
import { runBundled } from './bundled.mjs'

function parse() {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
        requests: { type: 'string', default: '100000' },
        manifests: { type: 'string', default: '200' },
      },
    })
    for (const [name, text] of Object.entries(values))
      if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} takes a whole number, not ${text}.`)
    return values
  } catch (error) {
    console.error(error.message)
    process.exit(2)
  }
}

const { seed, requests, manifests } = parse()
await runBundled({ fuzz: 'test/fuzz/program.ts', parser: 'src/main/parsing/parser-program.ts' }, [
  seed,
  requests,
  manifests,
])
