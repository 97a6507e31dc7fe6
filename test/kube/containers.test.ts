import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it, type ExpectStatic } from 'vitest'
import { isJsonObject, objectAt, objectsAt, textAt } from '../../src/shared/json.ts'
import type { JsonObject } from '../../src/shared/json.ts'
import { findKubectls, minorOf } from '../kubectl/kubectl-programs.ts'
import { expectAsListed, expectSame } from './commands/compare-outcomes.ts'
import { containerCommands, containersNode, topCommands } from './commands/containers.ts'
import { badRequestCommands } from './commands/bad-requests.ts'
import type { CommandScenario } from './commands/command.ts'
import { copyCommands } from './commands/copying.ts'
import { debugCommands } from './commands/debugging.ts'
import { outcomesOf, type Outcome } from './commands/session.ts'
import { reportComparison, reportImpossible, reportMissing } from './comparison.ts'
import { findParts } from './control-plane.ts'
import { canUnshare, cannotUnshare } from './cri/real-kubelet.ts'
import { startRealNode } from './real-node.ts'
import { startSandboxNode, type ServerUnderTest } from './servers.ts'

// What kubectl asks a kubelet for: in the sandbox, and of a real kubelet on our simulated runtime behind a real kube-apiserver.

const all = await findKubectls(process.env)
// The oldest, the first with WebSockets for everything, and the newest; by hand (NODESCOPE_KUBECTLS=all) each one that is here.
const chosen = [all[0], all.find((one) => minorOf(one) >= 31), all.at(-1)]
const isEach = process.env['NODESCOPE_KUBECTLS'] === 'all'
const programs = isEach ? all : [...new Set(chosen)].filter((one) => one !== undefined)
const found = await findParts(['etcd', 'kube-apiserver', 'kubelet'], process.env)
const isReal = !('missing' in found) && canUnshare()
const scenarios = [...containerCommands, ...copyCommands, ...debugCommands]
const totals = { compared: 0, explained: 0 }

/** What a scenario leaves would fill the node, which runs 110 pods at most, before the last version has its turn. */
async function removePods({ send }: ServerUnderTest, namespace: string): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/pods`
  const listed = await send({ method: 'GET', path, headers: {} })
  const list: unknown = await listed.body.json()
  const names = isJsonObject(list) ? objectsAt(list, 'items').map(nameOf) : []
  const body = JSON.stringify({ gracePeriodSeconds: 0 })
  const headers = { 'content-type': 'application/json' }
  for (const name of names) {
    const deleted = await send({ method: 'DELETE', path: `${path}/${name}`, headers, body })
    await deleted.body.dump()
  }
}

function nameOf(object: JsonObject): string {
  return textAt(objectAt(object, 'metadata'), 'name')
}

describe.runIf(programs.length > 0)('kubectl and a kubelet', { timeout: 300_000 }, () => {
  let folder = ''
  let sandbox: ServerUnderTest
  let real: ServerUnderTest | undefined

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nodescope-containers-'))
    sandbox = await startSandboxNode(containersNode)
    if (isReal) real = await startRealNode(containersNode, folder)
  }, 180_000)

  afterAll(async () => {
    await sandbox.stop()
    await real?.stop()
    await rm(folder, { recursive: true, force: true })
    if ('missing' in found) reportMissing('kubectl and a kubelet', found.missing)
    else if (!isReal) reportImpossible('kubectl and a kubelet', cannotUnshare)
    else
      reportComparison(
        'kubectl and a kubelet',
        `${programs.length} versions of kubectl, ${totals.compared} commands in the sandbox and on a real kubelet, ${totals.explained} differences explained`,
      )
  })

  describe.each(programs)('kubectl $version', (program) => {
    const prefix = `containers-${minorOf(program)}`

    async function compare(
      scenario: CommandScenario,
      namespace: string,
      expect: ExpectStatic,
    ): Promise<void> {
      const on = (server: ServerUnderTest): Promise<readonly Outcome[]> =>
        outcomesOf(scenario, { server, namespace, program, folder })
      const [ours, theirs] = await Promise.all([on(sandbox), real && on(real)])
      for (const server of [sandbox, ...(real === undefined ? [] : [real])])
        await removePods(server, namespace)
      expectAsListed(expect, ours, namespace)
      if (theirs === undefined) return
      expectAsListed(expect, theirs, namespace)
      expectSame(expect, ours, theirs, totals)
    }

    it.concurrent.for(scenarios)('$title', async (scenario, { expect }) => {
      await compare(scenario, `${prefix}-${scenarios.indexOf(scenario)}`, expect)
    })

    // kubectl has no part in these answers: one version asks.
    const isNewest = program === programs.at(-1)
    it.runIf(isNewest).concurrent.for(badRequestCommands)(
      '$title',
      async (scenario, { expect }) => {
        await compare(scenario, `${prefix}-bad-${badRequestCommands.indexOf(scenario)}`, expect)
      },
    )

    it('has CPU and memory for kubectl top', async ({ expect }) => {
      const scenario = { title: 'top', steps: topCommands }
      const namespace = `${prefix}-top`
      const outcomes = await outcomesOf(scenario, { server: sandbox, namespace, program, folder })
      expectAsListed(expect, outcomes, namespace)
    })
  })

  it('logged nothing in the sandbox', ({ expect }) => {
    expect(sandbox.logged).toEqual([])
  })
})
