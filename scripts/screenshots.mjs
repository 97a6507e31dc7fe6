// Takes the pictures under docs/screenshots from the built program on the web host, in both themes.
// Use: node scripts/screenshots.mjs [sandbox] [trouble] [nodes] [gotchas] [handbook] [cluster]     (after npm run build; Chromium as for npm run e2e)
//   --size 1280x720,1440x900   sizes of the window; each but 1440x900 is added to the names of its pictures
//   --out FOLDER               another folder than docs/screenshots
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { parse } from 'yaml'
import { findBrowser } from './browser.mjs'

const root = resolve(import.meta.dirname, '..')
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string', default: '1440x900' }, out: { type: 'string' } },
})
const pictures = options.out ?? join(root, 'docs', 'screenshots')
const usualSize = '1440x900'
const sizes = options.size.split(',').map((name) => {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(name) ?? []
  if (width === undefined || height === undefined)
    throw new Error(`--size takes sizes such as 1280x720,1440x900; "${name}" is not one`)
  return { name, width: Number(width), height: Number(height) }
})
const folder = await mkdtemp(join(tmpdir(), 'nodescope-pictures-'))
const running = []

/** A cluster that is opened without a node of our own has neither. */
function isLookedAt(args) {
  return args.includes('--kubeconfig') && !args.includes('--node')
}

/** Starts the web host; the lines that it prints, by their first word. */
async function start(args) {
  const program = spawn(process.execPath, [join(root, 'out/main/host.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.push(program)
  const facts = new Map()
  for await (const line of createInterface({ input: program.stdout })) {
    const [name, ...value] = line.split(' ')
    facts.set(name, value.join(' '))
    const isWhole = facts.has('kubeconfig') || facts.has('node') || isLookedAt(args)
    if (facts.has('dashboard') && isWhole) break
  }
  program.stdout.resume()
  return facts
}

/** A static pod as a manifest. */
function manifest(name, script, more = '') {
  return `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  namespace: default
  labels:
    app: ${name}
spec:
${more}  containers:
    - name: ${name}
      image: busybox:1.36
      command:
        - sh
        - -c
        - ${script}
`
}

const forever = "trap 'exit 0' TERM; while true; do sleep 1; done"
const stubborn = '  terminationGracePeriodSeconds: 90\n'

const found = await findBrowser()
const browser = await chromium.launch({
  executablePath: found.path,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})

async function openPage(address) {
  const context = await browser.newContext({ viewport: sizes[0] })
  const page = await context.newPage()
  await page.goto(address)
  await page.getByRole('navigation', { name: 'Views' }).waitFor()
  return page
}

async function shoot(page, name) {
  for (const { name: size, width, height } of sizes) {
    await page.setViewportSize({ width, height })
    for (const theme of ['dark', 'light']) {
      await page.evaluate((wanted) => {
        document.documentElement.dataset.theme = wanted
      }, theme)
      // Colors change over 160 ms; the pointer is kept away from what would light up.
      await page.mouse.move(width / 2, height - 1)
      await page.waitForTimeout(400)
      const suffix = size === usualSize ? '' : `-${size}`
      await page.screenshot({ path: join(pictures, `${name}-${theme}${suffix}.png`) })
    }
  }
  await page.setViewportSize(sizes[0])
}

function show(page, view) {
  return page
    .getByRole('navigation', { name: 'Views' })
    .getByRole('button', { name: view, exact: true })
    .click()
}

function row(page, name) {
  return page.getByRole('row', { name: `default/${name}`, exact: true })
}

/** Opens the pod's drawer; the row begins with a checkbox. */
function open(page, name) {
  return row(page, name).click({ position: { x: 60, y: 8 } })
}

/** Opens the dialog of an action from the pod's drawer. */
async function ask(page, name, act) {
  await open(page, name)
  await page.getByRole('complementary').getByRole('button', { name: act }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor()
}

/** The sandbox: start, pods, panel, dialogs, mirrors, manifests, flow, palette. */
async function sandbox() {
  const data = join(folder, 'sandbox')
  const facts = await start(['--data-dir', data, '--seed', '7'])
  const page = await openPage(facts.get('dashboard'))
  await page.getByRole('button', { name: 'Do it for me' }).nth(1).waitFor()
  await page.getByText('has its mirror').first().waitFor()
  await page.waitForTimeout(3000)
  await shoot(page, 'start')

  const manifests = join(data, 'manifests')
  await writeFile(join(manifests, 'crash.yaml'), manifest('crash', 'sleep 3; exit 1'))
  await writeFile(join(manifests, 'agent.yaml'), manifest('agent', forever))
  await writeFile(join(manifests, 'store.yaml'), manifest('store', 'sleep 86400', stubborn))
  await show(page, 'Pods')
  await row(page, 'crash-scope-node-1').filter({ hasText: 'CrashLoopBackOff' }).waitFor()
  await row(page, 'store-scope-node-1').filter({ hasText: 'Running' }).waitFor()

  await ask(page, 'loud', 'Kill…')
  await shoot(page, 'kill')
  await page.keyboard.press('Escape')
  await ask(page, 'web-scope-node-1', 'Delete mirror…')
  await shoot(page, 'delete-mirror')
  await page.keyboard.press('Escape')

  await writeFile(join(manifests, 'store.yaml'), manifest('store', 'sleep 7200', stubborn))
  await ask(page, 'loud', 'Delete…')
  await page.getByRole('button', { name: /^Delete, / }).click()
  await row(page, 'loud').filter({ hasText: 'TerminatingPod' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('main').getByRole('status').getByRole('button', { name: 'Close' }).click()
  await page.waitForTimeout(3000)
  await shoot(page, 'pods')
  await open(page, 'loud')
  await page.waitForTimeout(1000)
  await shoot(page, 'drawer')
  await page.keyboard.press('Escape')

  await show(page, 'Flow')
  await page.waitForTimeout(1500)
  await shoot(page, 'flow')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('st')
  await shoot(page, 'palette')
  await page.keyboard.press('Escape')

  await show(page, 'Pods')
  await ask(page, 'web-scope-node-1', 'Delete mirror…')
  await page.getByRole('radio', { name: 'Force, grace 0' }).click({ force: true })
  await page.getByRole('button', { name: 'Delete mirror by force' }).click()
  await page.keyboard.press('Escape')
  await show(page, 'Mirror pods')
  await page.getByRole('option', { name: /agent-scope-node-1/ }).click()
  await page.getByRole('region', { name: /^Differences of/ }).waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: 'web-scope-node-1' })
    .waitFor({ state: 'hidden' })
  await shoot(page, 'mirrors')

  const web = join(manifests, 'web.yaml')
  const good = await readFile(web, 'utf8')
  await writeFile(web, good.replace('containerPort: 80', 'containerPort: 80800'))
  await show(page, 'Manifests')
  await page.getByRole('option', { name: 'web.yaml, rejected' }).click()
  await page.getByRole('region', { name: 'What is wrong with web.yaml' }).waitFor()
  await page.waitForTimeout(1000)
  await shoot(page, 'manifests')
}

/** A relay to the API server that can simulate an outage. */
async function relayTo(kubeconfig) {
  const text = await readFile(kubeconfig, 'utf8')
  const [, port] = /https:\/\/127\.0\.0\.1:(\d+)/.exec(text)
  const sockets = new Set()
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => [near, far].forEach((end) => end.destroy()))
    }
    near.pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const path = join(folder, 'relayed.kubeconfig')
  await writeFile(path, text.replace(`127.0.0.1:${port}`, `127.0.0.1:${server.address().port}`))
  const cut = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { path, cut }
}

/** A joined cluster during an outage of its API server. */
async function trouble() {
  const owner = await start(['--data-dir', join(folder, 'owner')])
  const relay = await relayTo(owner.get('kubeconfig'))
  const manifests = join(folder, 'manifests')
  await mkdir(manifests)
  await writeFile(join(manifests, 'agent.yaml'), manifest('agent', forever))
  await writeFile(join(manifests, 'store.yaml'), manifest('store', 'sleep 86400', stubborn))
  const guest = await start(
    ['--kubeconfig', relay.path, '--node', 'edge-1', '--manifests', manifests].concat([
      '--data-dir',
      join(folder, 'guest'),
    ]),
  )
  const page = await openPage(guest.get('dashboard'))
  await show(page, 'Pods')
  await row(page, 'agent-edge-1').filter({ hasText: 'Running' }).waitFor()
  await row(page, 'store-edge-1').filter({ hasText: 'Running' }).waitFor()
  await page.waitForTimeout(11_000)
  relay.cut()
  await page.getByRole('region', { name: 'The API server does not answer' }).waitFor()
  await rm(join(manifests, 'store.yaml'))
  await writeFile(join(manifests, 'late.yaml'), manifest('late', forever))
  await row(page, 'store-edge-1').filter({ hasText: 'TerminatingPod' }).waitFor()
  await page.waitForTimeout(14_000)
  await shoot(page, 'trouble')
}

/** Several nodes: the menu, their pods in one table, a shutdown before the click, a kubelet that does not run. */
async function nodes() {
  const facts = await start(['--data-dir', join(folder, 'nodes'), '--seed', '7', '--nodes', '4'])
  const page = await openPage(facts.get('dashboard'))
  await show(page, 'Pods')
  await row(page, 'web-scope-node-1').filter({ hasText: 'Running' }).waitFor()
  await page.getByRole('radio', { name: 'All nodes' }).click({ force: true })
  await row(page, 'hello').filter({ hasText: 'Running' }).waitFor()
  // The first lease is written about ten seconds after the start.
  await page.waitForTimeout(13_000)
  await page.keyboard.press('n')
  await page.getByRole('listbox', { name: 'Nodes' }).waitFor()
  await shoot(page, 'nodes')
  await page.keyboard.press('Escape')
  const act = async (title) => {
    await page.getByRole('button', { name: 'Node actions' }).click()
    await page.getByRole('menuitem', { name: `${title}…` }).click()
    await page.getByRole('dialog', { name: title }).waitFor()
  }
  await act('Shut the node down')
  await page.getByRole('dialog').getByText('web-scope-node-1').waitFor()
  await shoot(page, 'shutdown')
  await page.keyboard.press('Escape')
  await act('Stop the kubelet')
  await page.getByRole('dialog').getByRole('button', { name: 'Stop the kubelet' }).click()
  await show(page, 'Flow')
  await page.getByRole('region', { name: /is stopped$/ }).waitFor()
  await page.getByRole('main').getByRole('status').getByRole('button', { name: 'Close' }).click()
  await page.waitForTimeout(8000)
  await shoot(page, 'stopped')
}

/** The list of gotchas, and one that is open. */
async function gotchas() {
  const facts = await start(['--data-dir', join(folder, 'gotchas'), '--seed', '7'])
  const page = await openPage(facts.get('dashboard'))
  await show(page, 'Gotchas')
  await page.getByRole('button', { name: 'Open', exact: true }).first().waitFor()
  await shoot(page, 'gotchas')
  await page.getByRole('button', { name: 'Open', exact: true }).first().click()
  await page.getByRole('region', { name: /^Gotcha: / }).waitFor()
  await page.waitForTimeout(1500)
  await shoot(page, 'gotcha')
}

/** The handbook next to the drawer of a static pod, with the events that show its section, and full size. */
async function handbook() {
  const facts = await start(['--data-dir', join(folder, 'handbook'), '--seed', '7'])
  const page = await openPage(facts.get('dashboard'))
  await show(page, 'Pods')
  await row(page, 'web-scope-node-1').filter({ hasText: 'matched' }).waitFor()
  await open(page, 'web-scope-node-1')
  await page.keyboard.press('h')
  const contents = page.getByRole('navigation', { name: 'Contents of the handbook' })
  await contents.getByRole('link', { name: 'Mirror pods' }).click()
  await page.getByRole('article').getByRole('img').first().waitFor()
  await page.waitForTimeout(1000)
  await shoot(page, 'handbook')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.keyboard.press('9')
  await page.getByRole('combobox', { name: 'Search the handbook' }).fill('grace')
  await page.getByRole('listbox', { name: 'Results' }).waitFor()
  await shoot(page, 'handbook-search')
}

/** A request to the API server that a kubeconfig names. */
async function send(kubeconfig, method, path, body) {
  const { clusters, users } = parse(await readFile(kubeconfig, 'utf8'))
  const [{ cluster }, { user }] = [clusters[0], users[0]]
  const text = JSON.stringify(body)
  const outgoing = request(new URL(path, cluster.server), {
    method,
    ca: Buffer.from(cluster['certificate-authority-data'], 'base64'),
    headers: {
      authorization: `Bearer ${user.token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    },
  })
  outgoing.end(text)
  const [answer] = await once(outgoing, 'response')
  answer.resume()
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode}`)
}

/** A cluster that is opened read-only: the kubelet of one of its nodes next to the API, as a table and over time. */
async function cluster() {
  const data = join(folder, 'opened')
  const owner = await start(['--data-dir', data, '--seed', '7'])
  const kubeconfig = owner.get('kubeconfig')
  const pods = '/api/v1/namespaces/default/pods'
  const create = (name, script, metadata, spec) =>
    send(kubeconfig, 'POST', pods, {
      metadata: { name, ...metadata },
      spec: {
        ...spec,
        nodeName: 'scope-node-1',
        containers: [{ name: 'c', image: 'busybox:1.36', command: ['sh', '-c', script] }],
      },
    })
  const manifests = join(data, 'manifests')
  await writeFile(join(manifests, 'agent.yaml'), manifest('agent', forever))
  await writeFile(join(manifests, 'store.yaml'), manifest('store', 'sleep 86400', stubborn))
  await create('etl-29384410-8xk4p', forever, { finalizers: ['example.com/backup'] })
  await create('cart-6f5d9c7b8-rl2mz', 'sleep 86400', {}, { terminationGracePeriodSeconds: 90 })
  await create('recommender-6b8cf49d7-p4wlk', 'sleep 3; exit 1')
  await create('backup-29384400-lq2cd', 'exit 0', {}, { restartPolicy: 'Never' })
  const guest = await start(['--kubeconfig', kubeconfig, '--data-dir', join(folder, 'looking')])
  const page = await openPage(guest.get('dashboard'))
  await show(page, 'Nodes')
  await page.getByRole('button', { name: 'Actions on scope-node-1' }).click()
  await page.getByRole('menuitem', { name: 'Inspect node', exact: true }).click()
  const pod = (name) => page.getByRole('row', { name: new RegExp(name) })
  await pod('recommender').filter({ hasText: 'CrashLoopBackOff' }).first().waitFor()
  await pod('store').filter({ hasText: 'Running' }).first().waitFor()
  await writeFile(join(manifests, 'store.yaml'), manifest('store', 'sleep 7200', stubborn))
  const deletion = { kind: 'DeleteOptions', apiVersion: 'v1' }
  await send(kubeconfig, 'DELETE', `${pods}/etl-29384410-8xk4p`, deletion)
  await send(kubeconfig, 'DELETE', `${pods}/cart-6f5d9c7b8-rl2mz`, deletion)
  await page.waitForTimeout(40_000)
  await page.getByRole('button', { name: /etl-29384410-8xk4p$/ }).click()
  await shoot(page, 'inspect')
  await page.getByRole('radio', { name: 'Timeline' }).click({ force: true })
  await page.getByRole('list', { name: 'Pod workers' }).waitFor()
  await page.keyboard.press('j')
  await page.waitForTimeout(1500)
  await shoot(page, 'inspect-timeline')
}

const scenes = { sandbox, trouble, nodes, gotchas, handbook, cluster }

try {
  await mkdir(pictures, { recursive: true })
  for (const [name, take] of Object.entries(scenes))
    if (wanted.length === 0 || wanted.includes(name)) await take()
} finally {
  await browser.close()
  for (const program of running) {
    if (program.exitCode === null) {
      program.kill('SIGTERM')
      await once(program, 'exit')
    }
  }
  await rm(folder, { recursive: true, force: true })
}
