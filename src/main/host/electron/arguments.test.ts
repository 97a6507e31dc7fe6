import { describe, expect, it } from 'vitest'
import { programArguments } from './arguments.ts'

describe('programArguments', () => {
  it.each([
    [['electron', '/app', '--node', 'n'], false, ['--node', 'n']],
    [['electron', '--no-sandbox', '--inspect=0', '/app', '--port', '1'], false, ['--port', '1']],
    [['electron', '/app'], false, []],
    [['electron', '--no-sandbox'], false, []],
    [['/opt/nodescope', '--node', 'n'], true, ['--node', 'n']],
    [['/opt/nodescope'], true, []],
  ])('of %j (packaged: %s) are %j', (argv, isPackaged, expected) => {
    expect(programArguments(argv, isPackaged)).toEqual(expected)
  })
})
