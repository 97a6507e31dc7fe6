import { expect, it } from 'vitest'
import { exportLine } from './export-line.ts'

it.each([
  [
    '/home/ada/.nodescope/sandbox.kubeconfig',
    'export KUBECONFIG=/home/ada/.nodescope/sandbox.kubeconfig',
  ],
  ['/tmp/my files/config', "export KUBECONFIG='/tmp/my files/config'"],
  ["/tmp/ada's/config", "export KUBECONFIG='/tmp/ada'\\''s/config'"],
  ['/tmp/$HOME/`x`', "export KUBECONFIG='/tmp/$HOME/`x`'"],
])('a shell reads %s back as it is', (path, line) => {
  expect(exportLine(path)).toBe(line)
})
