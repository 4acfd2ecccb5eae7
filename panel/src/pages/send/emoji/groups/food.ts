export const food = `
🍏 green apple, fruit | سیب سبز، میوه
🍎 red apple, fruit | سیب قرمز، میوه
🍌 banana, fruit | موز، میوه
🍉 watermelon, fruit yalda summer | هندوانه، میوه یلدا تابستان
🍇 grapes, fruit | انگور، میوه
🍓 strawberry, fruit | توت‌فرنگی، میوه
🍒 cherry, fruit | گیلاس، میوه
🍊 orange, fruit mandarin | پرتقال، نارنگی میوه
🍋 lemon, fruit sour | لیمو، میوه
🍍 pineapple, fruit | آناناس، میوه
🥑 avocado, fruit | آووکادو، میوه
🍅 tomato, vegetable | گوجه‌فرنگی، سبزی
🥕 carrot, vegetable | هویج، سبزی
🥗 salad, healthy vegetable | سالاد، سالم
🍞 bread, bakery | نان، نانوایی
🥐 croissant, breakfast bakery | کرواسان، صبحانه
🧀 cheese | پنیر
🍳 egg, breakfast cooking | تخم‌مرغ، صبحانه نیمرو
🍕 pizza, fast food | پیتزا، فست‌فود
🍔 burger, hamburger fast food | همبرگر، برگر فست‌فود
🍟 fries, fast food | سیب‌زمینی سرخ‌کرده، فست‌فود
🌭 hot dog, fast food | هات‌داگ، فست‌فود
🌮 taco, food | تاکو، غذا
🍗 chicken leg, meat food | ران مرغ، مرغ غذا
🥩 meat, steak | گوشت، استیک
🍢 skewer, kebab grill | سیخ کباب، کباب
🍚 rice, food | برنج، پلو غذا
🍝 spaghetti, pasta | ماکارونی، پاستا
🍜 noodles, soup | رشته، سوپ آش
🍲 pot of food, stew | قابلمهٔ غذا، خورش آش
🍣 sushi, fish | سوشی، ماهی
🍽️ plate and cutlery, restaurant dinner | بشقاب و قاشق، رستوران شام ناهار
🍰 cake slice, dessert sweet | برش کیک، دسر شیرینی
🍩 doughnut, dessert sweet | دونات، شیرینی
🍪 cookie, biscuit sweet | کلوچه، بیسکویت
🍫 chocolate, sweet | شکلات، شیرین
🍬 candy, sweet | آب‌نبات، شیرین
🍦 ice cream, summer | بستنی، تابستان
🍯 honey, sweet | عسل، شیرین
☕ coffee, tea hot drink cafe | قهوه، چای نوشیدنی گرم کافه
🍵 tea, hot drink | چای، نوشیدنی گرم
🥤 soft drink, cup juice | نوشابه، نوشیدنی
🧃 juice box, drink | آبمیوه، نوشیدنی
🥛 milk, drink | شیر، لبنیات
`
