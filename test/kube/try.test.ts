
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { it } from 'vitest'
import { startSandboxNode } from './servers.ts'
const run = promisify(execFile)
it('x', { timeout: 120_000 }, async () => {
  const s = await startSandboxNode('n1')
  writeFileSync('/tmp/try.kubeconfig', s.kubeconfig)
  const k = async (line: string) => {
    const t = Date.now()
    try {
      const { stdout, stderr } = await run(process.env['HOME'] + '/.cache/nodescope/kube/v1.34.4/kubectl', ['--kubeconfig', '/tmp/try.kubeconfig', ...line.split(' ')])
      console.log('$ kubectl ' + line + '  [' + (Date.now() - t) + ' ms]\n' + stdout + stderr)
    } catch (e: any) { console.log('$ kubectl ' + line + ' FAILED\n' + e.stdout + e.stderr) }
  }
  for (const line of (process.env['LINES'] ?? '').split(';')) {
    if (line.startsWith('sleep')) await new Promise((r) => setTimeout(r, Number(line.slice(6)) * 1000))
    else await k(line.trim())
  }
  console.log(s.logged)
  await s.stop()
})
