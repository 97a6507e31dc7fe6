import { expect, it } from 'vitest'
import { statusTone } from './status-tone.ts'

it.each([
  ['Running', 'plain'],
  ['Completed', 'done'],
  ['Succeeded', 'done'],
  ['ExitCode:0', 'done'],
  ['Terminating', 'term'],
  ['Pending', 'wait'],
  ['ContainerCreating', 'wait'],
  ['PodInitializing', 'wait'],
  ['SchedulingGated', 'wait'],
  ['NotReady', 'wait'],
  ['Unknown', 'wait'],
  ['', 'wait'],
  ['Init:0/2', 'wait'],
  ['Init:Error', 'bad'],
  ['Init:CrashLoopBackOff', 'bad'],
  ['Init:ExitCode:1', 'bad'],
  ['Init:Signal:9', 'bad'],
  ['Failed', 'bad'],
  ['Error', 'bad'],
  ['OOMKilled', 'bad'],
  ['Evicted', 'bad'],
  ['CrashLoopBackOff', 'bad'],
  ['ImagePullBackOff', 'bad'],
  ['OutOfcpu', 'bad'],
  ['ExitCode:137', 'bad'],
  ['Signal:9', 'bad'],
])('the word "%s" is %s', (word, tone) => {
  expect(statusTone(word)).toBe(tone)
})
