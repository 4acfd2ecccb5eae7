export const signs = `
✅ check mark, done yes ok | تیک سبز، انجام شد بله
☑️ ticked box, done | مربع تیک‌خورده، انجام شد
✔️ tick, done yes | تیک، انجام شد
❌ cross mark, no cancel wrong | ضربدر، نه لغو غلط
⛔ no entry, stop forbidden | ورود ممنوع، ممنوع
🚫 prohibited, forbidden | ممنوع
⚠️ warning, attention careful | هشدار، توجه احتیاط
❗ exclamation, important alert | علامت تعجب، مهم
❓ question mark, help | علامت سؤال، پرسش کمک
ℹ️ information, help | اطلاعات، راهنما
🆕 new, badge | جدید، تازه
🆓 free, badge | رایگان
🔝 top, best | بالا، بهترین
🆗 ok, badge | باشه، خوب
🆘 sos, help emergency | کمک، اضطراری
💯 hundred points, perfect full | صد، کامل عالی
💥 collision, boom big sale | انفجار، بوم حراج
💢 anger, burst | خشم، عصبانی
💤 zzz, sleep | خروپف، خواب
🔴 red circle, live record | دایرهٔ قرمز، زنده
🟠 orange circle, dot | دایرهٔ نارنجی
🟡 yellow circle, dot | دایرهٔ زرد
🟢 green circle, online dot | دایرهٔ سبز، آنلاین
🔵 blue circle, dot | دایرهٔ آبی
⚫ black circle, black friday | دایرهٔ سیاه، بلک فرایدی جمعه
⚪ white circle, dot | دایرهٔ سفید
➡️ arrow right, next | پیکان راست، بعدی
⬅️ arrow left, back | پیکان چپ، بازگشت
⬆️ arrow up, top | پیکان بالا، بالا
⬇️ arrow down, below download | پیکان پایین، دانلود پایین
↩️ arrow back, return | پیکان بازگشت، برگشت
🔄 arrows in a circle, refresh update | پیکان چرخان، به‌روزرسانی تازه
♻️ recycling, eco | بازیافت، محیط زیست
➕ plus, add | بعلاوه، افزودن
➖ minus, remove | منها، کم
♾️ infinity, unlimited | بی‌نهایت، نامحدود
🏁 chequered flag, finish race | پرچم پایان، مسابقه
🚩 red flag, mark | پرچم قرمز، نشان
1️⃣ number one, first | عدد یک، اول
2️⃣ number two, second | عدد دو، دوم
3️⃣ number three, third | عدد سه، سوم
`
