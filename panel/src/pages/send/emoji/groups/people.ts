export const people = `
👍 thumbs up, like yes ok good | شست بالا، لایک آره خوب
👎 thumbs down, dislike no | شست پایین، نه بد
👌 ok hand, perfect | عالی، درست
✌️ victory, peace two | پیروزی، صلح دو
🤞 fingers crossed, luck hope | آرزوی موفقیت، شانس امید
🤟 love you, hand rock | دوستت دارم، دست
🤙 call me, hang loose | زنگ بزن، تماس
👈 pointing left, this | اشاره به چپ، این
👉 pointing right, this here | اشاره به راست، این
👆 pointing up, above | اشاره به بالا، بالا
👇 pointing down, below here | اشاره به پایین، اینجا
☝️ one finger, attention first | یک انگشت، توجه اول
✋ raised hand, stop | دست بالا، ایست
👏 clapping, bravo applause well done | دست زدن، آفرین تشویق
🙌 raised hands, hooray praise | دست‌ها بالا، هورا
🤝 handshake, deal agreement partner | دست دادن، توافق همکاری
🙏 folded hands, please thanks pray | دست به دعا، ممنون خواهش لطفا
💪 strong arm, muscle gym power | بازو، قدرت ورزش باشگاه
✍️ writing hand, sign write | نوشتن، امضا
🤳 selfie, phone photo | سلفی، عکس گوشی
👀 eyes, look see | چشم‌ها، نگاه ببین
🧠 brain, smart idea | مغز، باهوش فکر
👶 baby, child newborn | نوزاد، بچه
👦 boy, child son | پسر، بچه
👧 girl, child daughter | دختر، بچه
👨 man, father | مرد، پدر بابا
👩 woman, mother | زن، مادر مامان
👴 grandfather, old man | پدربزرگ، پیرمرد
👵 grandmother, old woman | مادربزرگ، پیرزن
👨‍👩‍👧 family, parents child | خانواده، پدر مادر فرزند
👨‍💻 developer, computer work | برنامه‌نویس، کار رایانه
👩‍🏫 teacher, school lesson | معلم، درس مدرسه
👨‍⚕️ doctor, health | پزشک، دکتر سلامت
👨‍🍳 cook, chef food kitchen | آشپز، غذا آشپزخانه
👷 worker, builder | کارگر، ساخت
💁 information, help support | راهنمایی، پشتیبانی کمک
🙋 hand up, question me | من، سؤال دست بالا
🤷 shrug, unknown | نمی‌دانم، شانه
🏃 running, hurry fast sport | دویدن، عجله سریع ورزش
💃 dancing, party | رقص، جشن
👥 people, users group | کاربران، گروه
👑 crown, king vip queen | تاج، ویژه پادشاه
`
