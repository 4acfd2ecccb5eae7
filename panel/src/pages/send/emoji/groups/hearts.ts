export const hearts = `
❤️ red heart, love | قلب قرمز، عشق
🧡 orange heart, love | قلب نارنجی، عشق
💛 yellow heart, love | قلب زرد، عشق
💚 green heart, love | قلب سبز، عشق
💙 blue heart, love | قلب آبی، عشق
💜 purple heart, love | قلب بنفش، عشق
🖤 black heart, love | قلب سیاه، عشق
🤍 white heart, love | قلب سفید، عشق
🤎 brown heart, love | قلب قهوه‌ای، عشق
💔 broken heart, sad | قلب شکسته، غم
💖 sparkling heart, love | قلب درخشان، عشق
💗 growing heart, love | قلب بزرگ‌شونده، عشق
💓 beating heart, love | قلب تپنده، عشق
💕 two hearts, love | دو قلب، عشق
💝 heart with ribbon, gift valentine | قلب روبان‌دار، هدیه ولنتاین
💘 heart with arrow, cupid love | قلب تیرخورده، عشق
💌 love letter, mail | نامهٔ عاشقانه، عشق
💋 kiss mark, lips | بوسه، لب
🌹 rose, flower love | گل رز، عشق
💐 bouquet, flowers congratulations | دسته‌گل، تبریک
`
