/**
 * Units of measure. Prefixes of one unit are converted here, so that 1.2 TB and 1,200 GB are the same number; different
 * units never are. Months and years are means of the calendar: twelve months are a year.
 */

export interface Unit {
  readonly name: string
  readonly factor: number
  readonly kind: 'measure' | 'duration'
  /** How exact the unit is in itself: a month is 30 or 31 days. Per unit, in the canonical unit. */
  readonly slack?: number
  /** Written only this way: `C`, `K`, `A` are also just letters. */
  readonly exact?: readonly string[]
}

const day = 86_400
const month = (365.25 / 12) * day

export const unitTable = new Map<string, Unit>()

function add(
  names: string,
  name: string,
  factor: number,
  kind: Unit['kind'] = 'measure',
  slack?: number,
): void {
  const unit: Unit = slack === undefined ? { name, factor, kind } : { name, factor, kind, slack }
  for (const word of names.split(' ')) unitTable.set(word, unit)
}

function exact(forms: string, name: string, factor: number, kind: Unit['kind'] = 'measure'): void {
  const list = forms.split(' ')
  for (const word of list) unitTable.set(word.toLowerCase(), { name, factor, kind, exact: list })
}

add('second seconds sec secs', 's', 1, 'duration')
exact('s', 's', 1, 'duration')
add('millisecond milliseconds ms msec', 's', 1e-3, 'duration')
add('minute minutes min mins', 's', 60, 'duration')
add('hour hours hr hrs', 's', 3600, 'duration')
exact('h', 's', 3600, 'duration')
add('day days night nights', 's', day, 'duration')
exact('d', 's', day, 'duration')
add('week weeks wk wks', 's', 7 * day, 'duration', day / 4)
add('fortnight fortnights', 's', 14 * day, 'duration', day / 2)
add('month months mth mths mo', 's', month, 'duration', 1.2 * day)
add('quarters', 's', 3 * month, 'duration', 3.6 * day)
add('year years yr yrs', 's', 12 * month, 'duration', 14.4 * day)
add('decade decades', 's', 120 * month, 'duration', 144 * day)

add('metre metres meter meters', 'm', 1)
exact('m', 'm', 1)
add('kilometre kilometres kilometer kilometers km kms', 'm', 1e3)
add('centimetre centimetres centimeter centimeters cm', 'm', 1e-2)
add('millimetre millimetres millimeter millimeters mm', 'm', 1e-3)
add('micrometre micrometres micron microns µm μm', 'm', 1e-6)
add('nanometre nanometres nm', 'm', 1e-9)
add('mile miles', 'm', 1609.344)
add('foot feet ft', 'm', 0.3048)
add('inch inches', 'm', 0.0254)
add('yard yards yd', 'm', 0.9144)

add('m2 m² sqm', 'm2', 1)
add('km2 km²', 'm2', 1e6)
add('cm2 cm²', 'm2', 1e-4)
add('mm2 mm²', 'm2', 1e-6)
add('hectare hectares ha', 'm2', 1e4)
add('acre acres', 'm2', 4046.856)
add('sqft ft2', 'm2', 0.092903)

add('litre litres liter liters ltr', 'l', 1)
exact('l L', 'l', 1)
add('millilitre millilitres milliliter milliliters ml', 'l', 1e-3)
add('dl', 'l', 0.1)
add('cl', 'l', 0.01)
add('µl μl', 'l', 1e-6)
add('hl hectolitre hectolitres', 'l', 100)
add('m3 m³ cbm', 'l', 1e3)
add('cm3 cm³', 'l', 1e-3)
add('gallon gallons', 'gallon', 1)
add('barrel barrels bbl', 'barrel', 1)

add('gram grams gramme grammes', 'g', 1)
exact('g', 'g', 1)
add('kilogram kilograms kilogramme kilogrammes kg kgs kilo kilos', 'g', 1e3)
add('milligram milligrams mg', 'g', 1e-3)
add('microgram micrograms µg μg mcg', 'g', 1e-6)
add('ng nanogram nanograms', 'g', 1e-9)
add('tonne tonnes', 'g', 1e6)
add('ton tons', 'ton', 1)
exact('t', 'g', 1e6)
add('kt kilotonne kilotonnes', 'g', 1e9)
add('lb lbs', 'lb', 1)
add('ounce ounces oz', 'oz', 1)

exact('B', 'GB', 1e-9)
exact('kB KB', 'GB', 1e-6)
exact('MB', 'GB', 1e-3)
add('byte bytes', 'GB', 1e-9)
add('kilobyte kilobytes', 'GB', 1e-6)
add('megabyte megabytes', 'GB', 1e-3)
add('gb gigabyte gigabytes', 'GB', 1)
add('tb terabyte terabytes', 'GB', 1e3)
add('petabyte petabytes', 'GB', 1e6)
exact('PB', 'GB', 1e6)
add('gib', 'GB', 1.073741824)
add('tib', 'GB', 1099.511627776)
add('bit bits', 'bit', 1)
add('kbps kbit', 'bit/s', 1e3)
add('mbps', 'bit/s', 1e6)
add('gbps', 'bit/s', 1e9)

exact('W', 'W', 1)
add('watt watts', 'W', 1)
add('kw kilowatt kilowatts', 'W', 1e3)
exact('MW', 'W', 1e6)
add('megawatt megawatts mwp', 'W', 1e6)
exact('GW', 'W', 1e9)
add('gigawatt gigawatts', 'W', 1e9)
exact('Wh', 'Wh', 1)
add('kwh', 'Wh', 1e3)
add('mwh', 'Wh', 1e6)
add('gwh', 'Wh', 1e9)
add('twh', 'Wh', 1e12)
add('mva', 'VA', 1e6)
add('kva', 'VA', 1e3)
add('kcal', 'kcal', 1)
add('kj', 'J', 1e3)
exact('J', 'J', 1)
exact('MJ', 'J', 1e6)
exact('GJ', 'J', 1e9)
exact('V', 'V', 1)
add('volt volts', 'V', 1)
add('kv', 'V', 1e3)
exact('mV', 'V', 1e-3)
exact('mA', 'A', 1e-3)
exact('kA', 'A', 1e3)
add('amp amps ampere amperes', 'A', 1)
add('hz hertz', 'Hz', 1)
add('khz', 'Hz', 1e3)
add('mhz', 'Hz', 1e6)
add('ghz', 'Hz', 1e9)
add('bar', 'Pa', 1e5)
add('mbar', 'Pa', 100)
exact('Pa', 'Pa', 1)
exact('kPa', 'Pa', 1e3)
exact('MPa', 'Pa', 1e6)
add('hpa', 'Pa', 100)
add('psi', 'psi', 1)
add('mmhg', 'mmHg', 1)
exact('N', 'N', 1)
add('kn', 'N', 1e3)
add('nm²', 'nm2', 1)
add('db dba', 'dB', 1)
add('rpm', 'rpm', 1)
add('ppm', 'ppm', 1)
add('ppb', 'ppb', 1)
add('mph', 'm/s', 0.44704)
exact('C', 'degC', 1)
exact('F', 'degF', 1)
exact('K', 'K', 1)
add('mol', 'mol', 1)
add('mmol', 'mol', 1e-3)
add('micromol µmol μmol umol', 'mol', 1e-6)
add('nmol', 'mol', 1e-9)
add('iu', 'IU', 1)
exact('U', 'U', 1)
add('kat', 'kat', 1)
add('µkat μkat ukat', 'kat', 1e-6)
add('nkat', 'kat', 1e-9)
add('cfu', 'cfu', 1)
add('kelvin', 'K', 1)
add('tco2e tco2', 'tCO2e', 1)
add('pixel pixels px', 'px', 1)
