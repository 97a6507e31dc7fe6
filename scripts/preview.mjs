// The page against a story in memory, without a node: for looking at it while changing it.
// Use: node scripts/preview.mjs            prints a URL; ?theme=light &scene=start|trouble|many &open=cache &act=kill
//      node scripts/preview.mjs --shots DIR  writes PNGs of the main pictures (needs playwright; CHROMIUM names the browser)
import react from '@vitejs/plugin-react'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build, preview, runnerImport } from 'vite'

const outDir = await mkdtemp(join(tmpdir(), 'nodescope-preview-'))
const root = resolve(import.meta.dirname ?? '.', '../src/renderer')
const { module: plugin } = await runnerImport(
  resolve(import.meta.dirname ?? '.', 'handbook/plugin.ts'),
  {
    configFile: false,
    logLevel: 'error',
  },
)
const shared = {
  root,
  base: './',
  configFile: false,
  logLevel: 'warn',
  plugins: [react(), plugin.handbook(resolve(root, '../../docs/kubelet'))],
}
await build({
  ...shared,
  build: {
    outDir,
    emptyOutDir: true,
    rolldownOptions: { input: join(root, 'preview/index.html') },
  },
})
const server = await preview({
  ...shared,
  build: { outDir },
  preview: { port: 0, host: '127.0.0.1' },
})
const url = new URL('preview/index.html', server.resolvedUrls?.local[0])

const shots = [
  ['pods', '', 1440, 900],
  ['pods-open', '?open=api-gateway', 1440, 900],
  ['pods-open', '?open=api-gateway', 1024, 700],
  ['pods', '', 720, 900],
  ['static-open', '?open=web&toast', 1440, 900],
  ['drawer-containers', '?view=pods&open=worker-0&tab=containers', 1440, 900],
  ['drawer-history', '?view=pods&open=api-gateway&tab=history', 1440, 900],
  ['drawer-events', '?view=pods&open=web&tab=events', 1440, 900],
  ['drawer-yaml', '?view=pods&open=web&tab=yaml', 1440, 900],
  ['drawer-yaml', '?view=pods&open=web&tab=yaml', 720, 900],
  ['kill', '?open=cache&act=kill&grace=10', 1440, 900],
  ['evict-kubelet', '?open=cache&act=evictByKubelet', 1440, 900],
  ['evict-api', '?open=cache&act=evictThroughApi', 1440, 900],
  ['refused', '?open=etcd&act=evictThroughApi', 1440, 900],
  ['kill', '?open=cache&act=kill&grace=10', 720, 900],
  ['start', '?scene=start', 1440, 900],
  ['start', '?scene=start', 1024, 700],
  ['start', '?scene=start', 720, 900],
  ['trouble', '?scene=trouble', 1440, 900],
  ['broken', '?scene=broken', 1440, 900],
  ['nodes', '?nodes=3&all-nodes', 1440, 900],
  ['nodes-menu', '?nodes=12&menu', 1440, 900],
  ['nodes-menu', '?nodes=3&menu', 720, 900],
  ['node-shutdown', '?node-act=shutDown', 1440, 900],
  ['node-stop', '?nodes=3&node-act=stopAgent', 1440, 900],
  ['node-stopped', '?nodes=12&node=scope-node-4', 1440, 900],
  ['node-off', '?view=flow&nodes=12&node=scope-node-5', 1440, 900],
  ['gotchas', '?view=gotchas', 1440, 900],
  ['gotchas', '?view=gotchas', 720, 900],
  ['gotcha', '?gotcha', 1440, 900],
  ['gotcha', '?gotcha', 1024, 700],
  ['lost', '?lost', 1440, 900],
  ['empty', '?scene=empty', 1440, 900],
  ['flow', '?view=flow&follow', 1440, 900],
  ['flow-all', '?view=flow', 1440, 900],
  ['flow-open', '?view=flow&part=mirrorClient', 1440, 900],
  ['flow-workers', '?view=flow&part=podWorkers', 1440, 900],
  ['flow-many', '?view=flow&scene=many', 1440, 900],
  ['flow-away', '?view=flow&scene=trouble', 1440, 900],
  ['flow-empty', '?view=flow&scene=empty', 1440, 900],
  ['flow', '?view=flow&follow', 1024, 700],
  ['flow', '?view=flow&follow', 720, 900],
  ['mirrors', '?view=mirrors', 1440, 900],
  ['mirrors', '?view=mirrors', 1024, 700],
  ['mirrors', '?view=mirrors', 720, 900],
  ['mirrors-history', '?view=mirrors&pane=history', 1440, 900],
  ['mirrors-empty', '?view=mirrors&scene=empty', 1440, 900],
  ['manifests', '?view=manifests&name=web.yaml&edit', 1440, 900],
  ['manifests', '?view=manifests&name=web.yaml&edit', 1024, 700],
  ['manifests', '?view=manifests&name=web.yaml&edit', 720, 900],
  ['manifests-broken', '?view=manifests&scene=broken', 1440, 900],
  ['manifests-broken', '?view=manifests&scene=broken', 1024, 700],
  ['manifests-broken', '?view=manifests&scene=broken', 720, 900],
]

async function shoot(directory) {
  const { chromium } = await import('playwright')
  await mkdir(directory, { recursive: true })
  const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const only = process.argv.slice(process.argv.indexOf('--shots') + 2)
  const themes = (process.env['THEMES'] ?? 'dark,light,contrast').split(',')
  for (const [name, search, width, height] of shots) {
    if (only.length > 0 && !only.includes(name)) continue
    for (const theme of themes) {
      const page = await browser.newPage({ viewport: { width, height } })
      page.on('pageerror', (error) => console.error(name, error.message))
      await page.goto(`${url}${search}${search === '' ? '?' : '&'}theme=${theme}`)
      await page.waitForTimeout(700)
      await page.screenshot({ path: join(directory, `${name}-${theme}-${width}.png`) })
      await page.close()
    }
  }
  await browser.close()
}

async function stop() {
  await server.close()
  await rm(outDir, { recursive: true, force: true })
}

const at = process.argv.indexOf('--shots')
if (at === -1) {
  console.log(`preview ${url}`)
  process.once('SIGINT', () => void stop())
  process.once('SIGTERM', () => void stop())
} else {
  await shoot(process.argv[at + 1] ?? 'shots')
  await stop()
}
