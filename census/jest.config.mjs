export default {
  ...(process.env.CENSUS_RUN !== 'alone' && { preset: 'turntape/jest' }),
  transform: {},
  testMatch: ['<rootDir>/neighbours/*.test.mjs'],
  moduleFileExtensions: ['mjs', 'js', 'cjs', 'json', 'node'],
}
