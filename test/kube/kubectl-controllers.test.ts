import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { findKubectls, minorOf } from '../kubectl/kubectl-programs.ts'
import { chooseKubectl, expectAsListed, expectSame } from './commands/compare-outcomes.ts'
import { accountTokenCommands } from './commands/account-tokens.ts'
import { ownerCommands } from './commands/owners.ts'
import { rightsCommands } from './commands/rights.ts'
import { rolloutCommands } from './commands/rollouts.ts'
import { RunningNodes } from './commands/running-nodes.ts'
import { outcomesOf, type Outcome } from './commands/session.ts'
import { readyNode } from './commands/workload-objects.ts'
import { reportComparison, reportMissing } from './comparison.ts'
import { startRealControlPlane, startSandboxControlPlane, type ServerUnderTest } from './servers.ts'

// kubectl on the sandbox with its controllers and its scheduler and, if they are built, on kube-apiserver with
// kube-controller-manager and kube-scheduler: the same commands in the same run. Nothing runs pods except the same stand-in for
// kubelets on both sides.

const scenarios = [...rolloutCommands, ...ownerCommands, ...rightsCommands, ...accountTokenCommands]

const chosen = await chooseKubectl()
const found = await findKubectls(process.env)
const isEach = process.env['NODESCOPE_KUBECTLS'] === 'all'
/** The real server's version; by hand (NODESCOPE_KUBECTLS=all) each one that is here. */
const programs = isEach ? found : [chosen].filter((one) => one !== undefined)
const totals = { compared: 0, explained: 0 }
const attempts = new Map<string, number>()

interface Side {
  readonly server: ServerUnderTest
  readonly nodes: RunningNodes
}

async function sideOf(server: ServerUnderTest, folder: string): Promise<Side> {
  const nodes = new RunningNodes(server)
  const [program] = programs
  if (program === undefined) throw new Error('no kubectl')
  const scenario = { title: 'the node', steps: readyNode('n1') }
  await outcomesOf(scenario, { server, namespace: 'nodes', program, folder })
  nodes.start()
  return { server, nodes }
}

async function stop({ server, nodes }: Side): Promise<void> {
  await nodes.stop()
  await server.stop()
}

describe.runIf(programs.length > 0)('kubectl and controllers', { timeout: 300_000 }, () => {
  let folder = ''
  let sandbox: Side
  let real: Side | undefined

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nodescope-kubectl-controllers-'))
    sandbox = await sideOf(await startSandboxControlPlane(), folder)
    const plane = await startRealControlPlane(process.env)
    if ('missing' in plane) reportMissing('kubectl and controllers', plane.missing)
    else real = await sideOf(plane, folder)
  }, 180_000)

  afterAll(async () => {
    await stop(sandbox)
    if (real !== undefined) await stop(real)
    await rm(folder, { recursive: true, force: true })
    if (real === undefined) return
    const again = [...attempts.values()].filter((attempt) => attempt > 1).length
    reportComparison(
      'kubectl and controllers',
      `${totals.compared} commands of ${programs.map(({ version }) => version).join(', ')} on both control planes, ${totals.explained} differences explained, ${again} of ${attempts.size} scenarios played once more`,
    )
  })

  describe.each(programs)('$version', (program) => {
    // Two control planes keep a busy machine waiting at different places: what differs once is played again.
    it.concurrent.for(scenarios)('$title', { retry: 1 }, async (scenario, { expect }) => {
      const name = `owners-${minorOf(program)}-${scenarios.indexOf(scenario)}`
      const attempt = (attempts.get(name) ?? 0) + 1
      attempts.set(name, attempt)
      const namespace = attempt === 1 ? name : `${name}-again`
      const on = ({ server }: Side): Promise<readonly Outcome[]> =>
        outcomesOf(scenario, { server, namespace, program, folder })
      const [ours, theirs] = await Promise.all([on(sandbox), real && on(real)])
      expectAsListed(expect, ours, namespace)
      if (theirs === undefined) return
      expectAsListed(expect, theirs, namespace)
      expectSame(expect, ours, theirs, totals)
    })
  })

  it('logged nothing in the sandbox', ({ expect }) => {
    expect(sandbox.server.logged).toEqual([])
  })
})
