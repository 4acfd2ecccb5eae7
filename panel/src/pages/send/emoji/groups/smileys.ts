export const smileys = `
😀 grinning face, smile happy | صورت خندان، لبخند شاد
😃 big smile, happy open mouth | لبخند بزرگ، شاد خوشحال
😄 smiling eyes, happy laugh | چشم خندان، شاد خنده
😁 beaming face, grin teeth happy | نیش باز، خنده دندان شاد
😆 laughing, haha squint | قهقهه، خنده
😅 relieved laugh, sweat nervous phew | خنده با عرق، آخیش خجالت
😂 tears of joy, laugh lol funny | اشک خنده، خنده بامزه
🤣 rolling on the floor, laugh lol rofl | روده‌بر شدن، خنده قهقهه
😊 warm smile, blush happy thanks | لبخند گرم، خوشحال ممنون
😇 halo, angel innocent | فرشته، معصوم بی‌گناه
🙂 slight smile, fine ok | لبخند ملایم، خوب
🙃 upside down, silly irony | وارونه، شوخی کنایه
😉 wink, joke flirt | چشمک، شوخی
😌 relieved, calm peaceful | آسوده، آرام راحت
😍 heart eyes, love adore wow | چشم قلبی، عشق عاشق
🥰 face with hearts, love adore | صورت با قلب، عشق دوست داشتن
😘 blowing a kiss, love kiss | بوس فرستادن، بوسه عشق
😋 yummy, delicious tasty food | خوشمزه، غذا لذیذ
😜 winking with tongue, joke crazy | زبان درازی، شوخی شیطنت
🤪 zany face, crazy silly | دیوانه، خل شوخی
🤑 money face, rich sale cash | صورت پولی، پول ثروت حراج
🤗 hug, hugging welcome thanks | بغل، آغوش خوش‌آمد
🤭 giggle, oops hand over mouth | خندهٔ ریز، وای
🤫 shh, quiet secret | هیس، ساکت راز
🤔 thinking, hmm question | فکر کردن، سؤال
🤨 raised eyebrow, doubt | ابرو بالا، شک
😐 neutral face, meh | بی‌تفاوت، معمولی
😏 smirk, sly | پوزخند، موذی
🙄 rolling eyes, bored | چشم چرخاندن، بی‌حوصله
😬 grimace, awkward oops | دندان‌قروچه، وای
😴 sleeping, tired night zzz | خواب، خسته شب
🥱 yawn, tired bored | خمیازه، خسته
😷 mask, sick ill | ماسک، مریض
🤒 fever, sick ill | تب، مریض بیمار
🤕 hurt, injured bandage | زخمی، آسیب
🥵 hot, summer heat | گرمازده، گرما تابستان
🥶 cold, winter freezing | یخ‌زده، سرما زمستان
🤯 mind blown, wow shocked | مخ ترکیده، شگفت‌زده
🥳 party face, birthday celebrate | جشن، تولد تبریک
😎 cool, sunglasses | باحال، عینک آفتابی
🤓 nerd, smart glasses | درس‌خوان، عینکی باهوش
😮 surprised, wow oh | متعجب، تعجب
😲 astonished, wow shocked | حیرت‌زده، تعجب
🥺 pleading, please begging | التماس، لطفا خواهش
😢 crying, sad tear | گریه، غمگین اشک
😭 sobbing, sad cry | هق‌هق، گریه غم
😞 disappointed, sad | ناامید، غمگین
😩 weary, tired | درمانده، خسته
😤 huff, proud angry | خشم فروخورده، عصبانی
😠 angry, mad | عصبانی، خشم
😱 screaming, shock fear | جیغ، ترس شوک
😳 flushed, embarrassed | خجالت‌زده، سرخ شدن
🤩 star eyes, wow amazing excited | چشم ستاره‌ای، عالی هیجان
👻 ghost, halloween boo | روح، شبح
🤖 robot, bot ai | ربات، هوش مصنوعی
👋 wave, hello hi bye | دست تکان دادن، سلام خداحافظ
`
