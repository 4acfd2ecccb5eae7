export const objects = `
🔔 bell, notification reminder alert | زنگ، اعلان یادآوری
🔕 bell off, mute quiet | زنگ خاموش، بی‌صدا
📣 megaphone, announcement news | بلندگو، اعلام خبر
📢 loudspeaker, announcement | بلندگو، اطلاعیه
📰 newspaper, news | روزنامه، خبر
✉️ envelope, mail letter email | پاکت نامه، ایمیل نامه
📧 email, mail | ایمیل، رایانامه
📩 incoming mail, message | نامهٔ رسیده، پیام
📬 mailbox, letter | صندوق پست، نامه
💬 speech bubble, chat message comment | حباب گفتگو، پیام نظر چت
📞 telephone receiver, call | گوشی تلفن، تماس
☎️ telephone, call support | تلفن، تماس پشتیبانی
📅 calendar, date day | تقویم، تاریخ روز
🗓️ desk calendar, date schedule | تقویم رومیزی، برنامه تاریخ
⏰ alarm clock, time hurry reminder | ساعت زنگ‌دار، زمان عجله
⏳ hourglass, time waiting last chance | ساعت شنی، زمان انتظار آخرین فرصت
⌛ hourglass done, time over | ساعت شنی تمام، پایان زمان
🕐 clock, time hour | ساعت، زمان
📍 pin, place location address | نشانگر، مکان آدرس موقعیت
📌 pushpin, important note | پونز، مهم
📎 paperclip, attachment | گیره، پیوست
📝 memo, note write form | یادداشت، نوشتن فرم
📄 page, document file | صفحه، سند فایل
📁 folder, file | پوشه، فایل
📊 bar chart, report statistics | نمودار میله‌ای، گزارش آمار
📈 rising chart, growth up | نمودار صعودی، رشد
📉 falling chart, down | نمودار نزولی، کاهش
📚 books, read study | کتاب‌ها، مطالعه درس
📖 open book, read story | کتاب باز، خواندن داستان
🎓 graduation cap, study university | کلاه فارغ‌التحصیلی، دانشگاه درس
✏️ pencil, edit write | مداد، ویرایش نوشتن
🔍 magnifying glass, search find | ذره‌بین، جستجو جست‌وجو یافتن
🔑 key, login unlock access | کلید، ورود دسترسی
🔒 lock, secure private | قفل، امن خصوصی
🔓 unlocked, open | قفل باز، باز
🛡️ shield, security protection | سپر، امنیت محافظت
🔧 wrench, fix repair settings | آچار، تعمیر تنظیم
🛠️ tools, fix repair | ابزار، تعمیر
⚙️ gear, settings | چرخ‌دنده، تنظیمات
🧰 toolbox, repair | جعبه‌ابزار، تعمیر
💊 pill, medicine health | قرص، دارو سلامت
🩺 stethoscope, doctor health | گوشی پزشکی، دکتر سلامت
💉 syringe, vaccine | سرنگ، واکسن
🧹 broom, clean | جارو، تمیز نظافت
🗑️ waste basket, delete | سطل زباله، حذف
🗳️ ballot box, vote survey | صندوق رأی، نظرسنجی
🧲 magnet, attract | آهن‌ربا، جذب
🔗 link, chain url | لینک، پیوند زنجیر
`
