export const nature = `
☀️ sun, sunny summer weather | خورشید، آفتابی تابستان هوا
🌤️ sun behind cloud, weather | آفتاب و ابر، هوا
☁️ cloud, weather | ابر، هوا
🌧️ rain, weather | باران، هوا
⛈️ thunderstorm, weather | رعد و برق، توفان هوا
⚡ lightning, fast flash power | صاعقه، سریع برق فوری
❄️ snowflake, winter cold | دانهٔ برف، زمستان سرما
⛄ snowman, winter | آدم‌برفی، زمستان
🔥 fire, hot trending | آتش، داغ پرطرفدار
💧 drop, water | قطره، آب
🌊 wave, sea water | موج، دریا آب
🌈 rainbow, colour | رنگین‌کمان، رنگ
🌙 moon, night ramadan | ماه، شب رمضان
🌍 globe, earth world | کرهٔ زمین، جهان
🌱 seedling, spring new eco | جوانه، بهار سبز رویش
🌿 herb, green plant | گیاه، سبزه
🍀 four leaf clover, luck | شبدر چهارپر، شانس
🌳 tree, nature | درخت، طبیعت
🌲 evergreen, forest tree | کاج، جنگل
🌴 palm tree, beach holiday | نخل، ساحل تعطیلات
🍁 maple leaf, autumn | برگ افرا، پاییز
🍂 fallen leaves, autumn | برگ ریزان، پاییز خزان
🌸 blossom, spring flower | شکوفه، بهار گل
🌷 tulip, spring flower nowruz | لاله، بهار گل نوروز
🌻 sunflower, flower | آفتابگردان، گل
🌼 daisy, flower | گل مینا، گل
🌺 hibiscus, flower | گل ختمی، گل
🐶 dog, pet animal | سگ، حیوان خانگی
🐱 cat, pet animal | گربه، حیوان خانگی
🐭 mouse, animal | موش، حیوان
🐰 rabbit, animal | خرگوش، حیوان
🦊 fox, animal | روباه، حیوان
🐻 bear, animal | خرس، حیوان
🐼 panda, animal | پاندا، حیوان
🦁 lion, animal | شیر، حیوان
🐯 tiger, animal | ببر، حیوان
🐴 horse, animal | اسب، حیوان
🐮 cow, animal | گاو، حیوان
🐑 sheep, animal | گوسفند، حیوان
🐔 chicken, animal | مرغ، حیوان
🐥 chick, baby bird | جوجه، پرنده
🐦 bird, animal | پرنده، حیوان
🕊️ dove, peace bird | کبوتر، صلح پرنده
🦉 owl, bird night | جغد، پرنده شب
🐟 fish, nowruz animal | ماهی، نوروز حیوان
🐬 dolphin, sea animal | دلفین، دریا حیوان
🐢 turtle, slow animal | لاک‌پشت، آهسته حیوان
🐝 bee, honey insect | زنبور، عسل حشره
🦋 butterfly, insect spring | پروانه، حشره بهار
`
