/** Decimal numbers as JSON writes them, in one spelling a value, in linear time however long they are. Nothing is rounded. */

/** `-1.50e3` is `-15e2`, every zero is `0e0`: sign, digits without outer zeros, power of ten. Any other text is left as it is. */
export function normalDecimal(token: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?)0*(\d*))?$/.exec(token)
  if (match === null) return token
  const [, sign = '', whole = '', fraction = '', exponentSign = '', exponent = ''] = match
  const digits = trimZeros(whole + fraction)
  if (digits.text === '') return '0e0'
  const power = addTo({ sign: exponentSign === '-' ? -1 : 1, digits: exponent }, digits.trailing - fraction.length)
  return `${sign}${digits.text}e${power}`
}

/** Digits without leading and trailing zeros, and how many trailing ones there were. Linear, unlike `/0+$/`. */
function trimZeros(digits: string): { readonly text: string; readonly trailing: number } {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0') end -= 1
  let start = 0
  while (start < end && digits[start] === '0') start += 1
  return { text: digits.slice(start, end), trailing: digits.length - end }
}

interface WholeNumber {
  readonly sign: 1 | -1
  /** Without leading zeros; may have more than a double or, in good time, a BigInt holds. */
  readonly digits: string
}

/** So many digits always fit into a double, with what is added to them. */
const lowDigits = 15
const lowUnit = 10 ** lowDigits

/** `added` is less than `lowUnit` either way, so that only the last digits and a carry of one change. */
function addTo({ sign, digits }: WholeNumber, added: number): string {
  if (digits.length <= lowDigits) return String(sign * Number(digits) + added)
  const low = Number(digits.slice(-lowDigits)) + sign * added
  const carry = Math.floor(low / lowUnit)
  const high = carried(digits.slice(0, -lowDigits), carry)
  const magnitude = high + String(low - carry * lowUnit).padStart(lowDigits, '0')
  return (sign < 0 ? '-' : '') + magnitude.replace(/^0+/, '')
}

/** One more, one less, or the same. */
function carried(digits: string, carry: number): string {
  if (carry === 0) return digits
  const [full, empty] = carry > 0 ? ['9', '0'] : ['0', '9']
  let at = digits.length - 1
  while (at >= 0 && digits[at] === full) at -= 1
  const rest = empty.repeat(digits.length - 1 - at)
  return at < 0 ? `1${rest}` : `${digits.slice(0, at)}${Number(digits[at]) + carry}${rest}`
}
