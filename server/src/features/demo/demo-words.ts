/** What the demo's people and their shop are made of. */
export const places = [
  {
    city: 'tehran',
    timeZone: 'Asia/Tehran',
    language: 'fa',
    names: ['Sara', 'Ali', 'Mina', 'Reza', 'Leila', 'Omid', 'Nasrin', 'Kian'],
  },
  {
    city: 'shiraz',
    timeZone: 'Asia/Tehran',
    language: 'fa',
    names: ['Parisa', 'Arash', 'Shirin', 'Farhad', 'Neda', 'Babak'],
  },
  {
    city: 'istanbul',
    timeZone: 'Europe/Istanbul',
    language: 'tr',
    names: ['Elif', 'Emre', 'Zeynep', 'Can', 'Defne', 'Mert'],
  },
  { city: 'dubai', timeZone: 'Asia/Dubai', language: 'ar', names: ['Layla', 'Omar', 'Noor', 'Yusuf', 'Hana'] },
  {
    city: 'berlin',
    timeZone: 'Europe/Berlin',
    language: 'de',
    names: ['Anna', 'Jonas', 'Lena', 'Paul', 'Mia', 'Felix'],
  },
  { city: 'london', timeZone: 'Europe/London', language: 'en', names: ['Olivia', 'Jack', 'Emily', 'Harry', 'Grace'] },
] as const

export const placeWeights = [30, 16, 16, 10, 16, 12] as const

export const items = [
  { item: 'running shoes', category: 'shoes', price: 89.9 },
  { item: 'rain jacket', category: 'clothes', price: 119 },
  { item: 'wool socks', category: 'clothes', price: 9.5 },
  { item: 'water bottle', category: 'outdoor', price: 17.9 },
  { item: 'tent for two', category: 'outdoor', price: 249 },
  { item: 'yoga mat', category: 'sport', price: 34.5 },
  { item: 'headlamp', category: 'outdoor', price: 42 },
  { item: 'trail backpack', category: 'outdoor', price: 74.9 },
  { item: 'swim goggles', category: 'sport', price: 21 },
  { item: 'cycling gloves', category: 'sport', price: 27.5 },
] as const

export const searches = ['shoes', 'tent', 'jacket', 'gift', 'bottle', 'size 42', 'sale'] as const

export const clientVersions = [
  ['2.10.0', 45],
  ['2.9.2', 30],
  ['2.8.0', 15],
  ['1.12.4', 10],
] as const

export const models = {
  android: [
    ['Samsung', 'Galaxy S24'],
    ['Samsung', 'Galaxy A55'],
    ['Xiaomi', 'Redmi Note 13'],
    ['Google', 'Pixel 9'],
    ['Huawei', 'P40 lite'],
  ],
  ios: [
    ['Apple', 'iPhone 16'],
    ['Apple', 'iPhone 14'],
    ['Apple', 'iPhone SE'],
    ['Apple', 'iPad Air'],
  ],
  web: [
    ['Google', 'Chrome'],
    ['Mozilla', 'Firefox'],
    ['Apple', 'Safari'],
  ],
} as const

export const osVersions = {
  android: ['12', '13', '14', '15', '16'],
  ios: ['16.7', '17.6.1', '18.5', '26.1'],
  web: ['10', '11', '15.1'],
} as const
