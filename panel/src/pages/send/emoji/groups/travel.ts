export const travel = `
🚀 rocket, launch fast start | موشک، شروع سریع راه‌اندازی
✈️ airplane, flight travel trip | هواپیما، پرواز سفر
🛫 departure, flight travel | پرواز رفت، سفر
🛬 arrival, flight landing | فرود، سفر پرواز
🧳 suitcase, travel luggage | چمدان، سفر
🏖️ beach, holiday summer | ساحل، تعطیلات تابستان
🏝️ island, holiday | جزیره، تعطیلات
⛰️ mountain, hiking nature | کوه، طبیعت کوهنوردی
🏕️ camping, tent nature | کمپ، چادر طبیعت
⛺ tent, camping | چادر، کمپ
🗺️ map, travel world | نقشه، سفر
🧭 compass, direction | قطب‌نما، جهت
🚗 car, drive | خودرو، ماشین رانندگی
🚕 taxi, ride cab | تاکسی، سفر
🚌 bus, transport | اتوبوس، حمل و نقل
🚇 metro, subway train | مترو، قطار
🚆 train, travel | قطار، سفر
🚲 bicycle, bike | دوچرخه
🛵 scooter, delivery motorbike | موتور، پیک ارسال
🏍️ motorcycle, ride | موتورسیکلت
🚢 ship, sea travel | کشتی، دریا سفر
⛽ fuel pump, petrol gas | پمپ بنزین، سوخت
🚦 traffic light, road | چراغ راهنما، ترافیک
🏠 house, home | خانه، منزل
🏡 house with garden, home | خانهٔ باغ‌دار، خانه
🏢 office building, work company | ساختمان اداری، شرکت کار
🏦 bank, money | بانک، پول
🏥 hospital, health | بیمارستان، سلامت
🏫 school, study | مدرسه، درس
🏨 hotel, travel stay | هتل، اقامت سفر
🏛️ classical building, museum | بنای تاریخی، موزه
🕌 mosque, prayer | مسجد، نماز
🏟️ stadium, sport match | ورزشگاه، مسابقه
🌆 city at dusk, evening | شهر در غروب، عصر
🌅 sunrise, morning | طلوع، صبح
`
