import { expect, it } from 'vitest'
import { FakeContainer } from '../process/fake-container.ts'
import { WorkingFolder } from '../files/working-folder.ts'
import { withScriptFile } from './script-file.ts'

const texts: Readonly<Record<string, string>> = {
  '/s/run.sh': '#!/bin/sh -e\necho $1\nexit 4\n',
  '/s/env.sh': '#! /usr/bin/env bash\nexit 5\n',
  '/s/run.py': '#!/usr/bin/python3\nprint(1)\n',
}

const { files } = new FakeContainer({ command: ['sleep', '1'] }, { files: texts })
const root = (): WorkingFolder => new WorkingFolder(() => files, '/')

function commandOf(image: string, ...command: readonly string[]): readonly string[] {
  const line = withScriptFile({ image, command, args: [], environment: new Map() }, root)
  return [...line.command, ...line.args]
}

it('runs the text of a file that the command or its first line gives to a shell', () => {
  expect(commandOf('busybox', '/s/run.sh', 'x')).toEqual([
    '/bin/sh',
    '-e',
    '-c',
    texts['/s/run.sh'],
    '/s/run.sh',
    'x',
  ])
  expect(commandOf('app:1', '/s/env.sh')).toEqual(['bash', '-c', texts['/s/env.sh'], '/s/env.sh'])
  expect(commandOf('app:1', 'sh', '-x', '/s/run.sh', 'y')).toEqual([
    'sh',
    '-x',
    '-c',
    texts['/s/run.sh'],
    '/s/run.sh',
    'y',
  ])
})

it('gives the file its arguments', async () => {
  const command = commandOf('busybox', 'sh', '/s/run.sh', 'x y')
  const container = new FakeContainer({ command }, { hasOutput: true })
  await container.seconds(1)
  expect(container.output.stdout).toBe('x y\n')
  expect(container.exit?.exitCode).toBe(4)
})

it('says that a file is not there where the image is known', async () => {
  const command = commandOf('busybox', 'sh', '/no.sh')
  const container = new FakeContainer({ command }, { hasOutput: true })
  await container.seconds(1)
  expect(container.output.stderr).toBe("sh: can't open '/no.sh': No such file or directory\n")
  expect(container.exit?.exitCode).toBe(2)
  expect(commandOf('nginx', 'sh', '/no.sh')).toEqual(['sh', '/no.sh'])
})

it.each([
  [['sh', '-c', 'exit 3']],
  [['sh', '-ec', 'exit 3', '/s/run.sh']],
  [['sleep', '5']],
  [['/s/run.py']],
  [['sh']],
])('leaves %j as it is', (command) => {
  expect(commandOf('busybox', ...command)).toEqual(command)
})
