import { describe, expect, it } from 'vitest'
import { FakeContainer, fakeShell } from './fake-container.ts'
import { startErrorText, whyNotExecuted } from './image-programs.ts'
import { WorkingFolder } from '../files/working-folder.ts'

const { files } = new FakeContainer({ command: ['sleep', '1'] })
const root = new WorkingFolder(() => files, '/')

describe('a program that an image does not have', () => {
  it.each([
    ['busybox:1.36', 'bash', 'not in PATH'],
    ['docker.io/library/busybox', '/bin/bash', 'not found'],
    ['registry.k8s.io/e2e-test-images/busybox:1.29-4', 'curl', 'not in PATH'],
    ['busybox:1.36', '/no/such', 'not found'],
    ['busybox:1.36', '/etc/passwd', 'not executable'],
    ['busybox:1.36', '/etc', 'not executable'],
    ['alpine:3.20', 'curl', 'not in PATH'],
    ['nginx:1.27', 'killall', 'not in PATH'],
    ['nginx', '/usr/bin/wget', 'not found'],
    ['registry.k8s.io/pause:3.10', 'sh', 'not in PATH'],
    ['gcr.io/distroless/static-debian12:nonroot', 'sh', 'not in PATH'],
  ] as const)('is known to be missing in %s: %s', (image, name, why) => {
    expect(whyNotExecuted(image, name, root)).toBe(why)
  })

  it.each([
    ['busybox:1.36', 'wget'],
    ['busybox:1.36', '/usr/bin/env'],
    ['alpine:3.20', 'apk'],
    ['gcr.io/distroless/static:debug', 'sh'],
    ['example.com/mybusybox', 'bash'],
    ['nginx:1.27', '/no/such'],
    ['nginx:1.27-alpine', 'killall'],
    ['nginx', 'curl'],
    ['registry.k8s.io/pause:3.10', '/pause'],
    ['ubuntu:24.04', 'curl'],
  ])('is not called missing in %s: %s', (image, name) => {
    expect(whyNotExecuted(image, name, root)).toBeUndefined()
  })

  it('is named as runc names it', () => {
    expect(startErrorText('/no "x"', 'not found')).toBe(
      'unable to start container process: exec: "/no \\"x\\"": stat /no "x": no such file or directory: unknown',
    )
  })

  it('fails in a shell, which goes on', async () => {
    const script =
      'curl x || echo $?; echo "echo hi" > /tmp/run; /tmp/run; echo $?; eval : ; absent'
    const container = fakeShell(script.replace('eval : ; ', ''), 'sh', { hasOutput: true })
    await container.seconds(1)
    expect(container.output).toEqual({
      stdout: '127\n126\n',
      stderr: 'sh: curl: not found\nsh: /tmp/run: Permission denied\nsh: absent: not found\n',
    })
    expect(container.exit?.exitCode).toBe(127)
    expect(fakeShell(script).unreadable).toHaveLength(1)
  })

  it('leaves a file that was made executable unread, since its content is not run', async () => {
    const container = fakeShell('echo exit 3 > /run.sh; chmod +x /run.sh; /run.sh')
    await container.seconds(1)
    expect(container.unreadable).toEqual(['/run.sh is not a command that is read'])
  })
})
