import { expect, it } from 'vitest'
import { unreadableCommand } from './unreadable-command.ts'

it.each([
  [{ image: 'busybox', command: ['sleep', '5'] }, undefined],
  [{ image: 'busybox', args: ['sh', '-c', 'echo hello; exit 3'] }, undefined],
  [{ image: 'busybox', command: ['vi', 'example.com'] }, 'vi is not a command that is read'],
  [
    {
      image: 'busybox',
      command: ['$(PROGRAM)', '1'],
      env: [{ name: 'PROGRAM', value: 'sleep' }],
    },
    undefined,
  ],
  [{ image: 'busybox', stdin: true }, undefined],
  [{ image: 'docker.io/library/ubuntu:24.04', stdin: true }, undefined],
  [{ image: 'busybox' }, undefined],
  [{ image: 'nginx' }, 'no command: what the image runs is not known'],
  [{ image: 'busybox', command: ['no-such-program'] }, undefined],
  [{ image: 'busybox', command: ['bash', '-c', 'exit 1'] }, undefined],
  [{ image: 'busybox', command: ['sh', '/run.sh'] }, undefined],
  [{ image: 'nginx', command: ['sh', '/run.sh'] }, 'a shell without -c'],
  [
    {
      image: 'nginx',
      command: ['sh', '/s/run.sh'],
      volumeMounts: [{ name: 's', mountPath: '/s' }],
    },
    undefined,
  ],
  [
    { image: 'nginx', command: ['/s/run.sh'], volumeMounts: [{ name: 's', mountPath: '/s/' }] },
    undefined,
  ],
  [
    { image: 'nginx', command: ['/sh/run.sh'], volumeMounts: [{ name: 's', mountPath: '/s' }] },
    '/sh/run.sh is not a command that is read',
  ],
  [{ image: 'nginx', stdin: true }, 'no command: what the image runs is not known'],
  [{ image: 'nginx' }, 'no command: what the image runs is not known'],
] as const)('%j is read as it will be at its start', (container, why) => {
  expect(unreadableCommand({ name: 'c', ...container })).toBe(why)
})
