import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findKubectls } from './kubectl-programs.ts'
import { kubectlAt } from './kubectl.ts'
import { startSandbox } from './sandbox-under-test.ts'
import { createTestNamespace } from './test-namespace.ts'

const kubectls = await findKubectls(process.env)

it.runIf(kubectls.length > 0)('kubectl get -w ends when the sandbox stops', async () => {
  const program = kubectls.at(-1)
  if (program === undefined) throw new Error('no kubectl')
  const folder = await mkdtemp(join(tmpdir(), 'nodescope-stopping-'))
  const sandbox = await startSandbox(folder)
  const kubectl = await kubectlAt(program, folder, sandbox.kubeconfig)
  const { namespace } = await createTestNamespace(sandbox, 'stopping').then(
    async (newNamespace) => {
      await newNamespace.createPod('web')
      return newNamespace
    },
  )
  const watch = kubectl.start(['get', 'pods', '-n', namespace, '-w'])
  await watch.printed(/web/)
  await sandbox.stop()
  await watch.done
  const { code, stderr } = await kubectl.run(['get', 'pods'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('was refused')])
  await rm(folder, { recursive: true, force: true })
})
