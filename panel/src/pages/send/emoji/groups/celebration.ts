export const celebration = `
🎉 party popper, celebrate congratulations hooray | جشن، تبریک هورا
🎊 confetti, celebrate party | کاغذ رنگی، جشن
🎁 gift, present free reward | هدیه، کادو جایزه رایگان
🎈 balloon, birthday party | بادکنک، تولد جشن
🎂 birthday cake, celebrate | کیک تولد، تولد
🎀 ribbon, gift bow | روبان، هدیه
🕯️ candle, yalda memory | شمع، یلدا یادبود
🎆 fireworks, new year celebrate | آتش‌بازی، سال نو جشن
✨ sparkles, new shiny clean | درخشش، جدید برق
🌟 glowing star, special best | ستارهٔ درخشان، ویژه بهترین
⭐ star, favourite rating | ستاره، امتیاز محبوب
💫 dizzy star, magic | ستارهٔ چرخان، جادو
🏆 trophy, winner prize best | جام، برنده جایزه
🥇 gold medal, first winner | مدال طلا، اول برنده
🥈 silver medal, second | مدال نقره، دوم
🥉 bronze medal, third | مدال برنز، سوم
🏅 medal, sport winner | مدال، برنده
🎖️ military medal, honour | نشان افتخار، افتخار
⚽ football, soccer sport | فوتبال، توپ ورزش
🏀 basketball, sport | بسکتبال، توپ ورزش
🏐 volleyball, sport | والیبال، توپ ورزش
🎾 tennis, sport | تنیس، ورزش
🏓 table tennis, ping pong sport | پینگ‌پنگ، ورزش
🏊 swimming, pool sport | شنا، استخر ورزش
🚴 cycling, bike sport | دوچرخه‌سواری، ورزش
🧘 yoga, calm meditation | یوگا، آرامش مراقبه
🎯 target, goal aim | هدف، نشانه
🎮 video game, play console | بازی، کنسول
🎲 dice, game luck | تاس، بازی شانس
🧩 puzzle, piece game | پازل، بازی
🎵 music note, song | نت موسیقی، آهنگ
🎶 music notes, song | نت‌ها، موسیقی آهنگ
🎧 headphones, music podcast | هدفون، موسیقی پادکست
🎤 microphone, sing event | میکروفون، آواز
🎬 clapper, film movie video | کلاکت، فیلم سینما
🎨 palette, art design | پالت، هنر طراحی
🎭 theatre, art masks | تئاتر، نمایش هنر
🎟️ ticket, event | بلیت، رویداد
`
