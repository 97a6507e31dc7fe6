import { describe, expect, it } from 'vitest'
import { labelSelector } from './label-selector.ts'

function selects(selector: string, labels: Record<string, string>): boolean | string {
  const matcher = labelSelector(selector)
  return matcher.ok ? matcher.value(labels) : matcher.error
}

describe('a label selector', () => {
  const labels = { app: 'web', tier: 'front', n: '5', empty: '' }

  it.each([
    ['', true],
    ['  ', true],
    ['app=web', true],
    ['app==web', true],
    ['app = web', true],
    ['app=db', false],
    ['app!=db', true],
    ['app!=web', false],
    ['missing!=web', true],
    ['app', true],
    ['missing', false],
    ['!missing', true],
    ['!app', false],
    ['! missing', true],
    ['app in (web,db)', true],
    ['app in (db)', false],
    ['app in ( web , db )', true],
    ['missing in (web)', false],
    ['app notin (db)', true],
    ['app notin (web)', false],
    ['missing notin (web)', true],
    ['empty in ()', true],
    ['empty=', true],
    ['empty', true],
    ['app=', false],
    ['n>4', true],
    ['n>5', false],
    ['n<6', true],
    ['n<5', false],
    ['app>4', false],
    ['missing<4', false],
    ['app=web,tier=front', true],
    ['app=web,tier=back', false],
    ['app in (web,db),!missing,tier', true],
    ['empty=,app=web', true],
    ['kubernetes.io/name=x', false],
  ])('%s is %s', (selector, expected) => {
    expect(selects(selector, labels)).toBe(expected)
  })

  // As kube-apiserver v1.34.4 answers them.
  it.each([
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['=', "found '=', expected: !, identifier, or 'end of string'"],
    ['(a)', "found '(', expected: !, identifier, or 'end of string'"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a,,b', "found ',', expected: identifier after ','"],
    ['a in 1', "unable to parse requirement: found '1' expected: '('"],
    ['a in', "unable to parse requirement: found '' expected: '('"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (b c)', "unable to parse requirement: found 'c', expected: ',' or ')'"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    [
      'a>x',
      `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
  ])('%s is refused: %s', (selector, message) => {
    expect(selects(selector, labels)).toBe(message)
  })
})
