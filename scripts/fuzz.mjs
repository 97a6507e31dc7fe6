// `npm run fuzz`: random requests at a sandbox's API over HTTPS, and random manifests in a folder that is read.
// Use: npm run fuzz -- [--seed N] [--requests N] [--manifests N] [--rbac]
//      with --rbac, RBAC is enforced, and most requests are of users with few rights
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
        rbac: { type: 'boolean', default: false },
      },
    })
    const { rbac, ...numbers } = values
    for (const [name, text] of Object.entries(numbers))
      if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} takes a whole number, not ${text}.`)
    return { ...numbers, rbac }
  } catch (error) {
    console.error(error.message)
    process.exit(2)
  }
}

const { seed, requests, manifests, rbac } = parse()
await runBundled({ fuzz: 'test/fuzz/program.ts', parser: 'src/main/parsing/parser-program.ts' }, [
  seed,
  requests,
  manifests,
  ...(rbac ? ['rbac'] : []),
])
