export const shopping = `
🛍️ shopping bags, buy sale store | کیسهٔ خرید، خرید حراج فروشگاه
🛒 shopping cart, basket buy order | سبد خرید، خرید سفارش
🏷️ label, price tag discount | برچسب قیمت، تخفیف
💰 money bag, cash | کیسهٔ پول، پول نقد
💵 banknote, cash money dollar | اسکناس، پول دلار
💳 credit card, pay payment | کارت بانکی، پرداخت خرید
💸 money with wings, spend | پول بال‌دار، خرج هزینه
🪙 coin, money gold | سکه، پول طلا
💎 gem, diamond vip precious | الماس، ویژه گران‌بها
🧾 receipt, bill invoice | رسید، فاکتور صورت‌حساب
📦 parcel, package delivery box order | بسته، ارسال سفارش جعبه
🚚 delivery truck, shipping order | کامیون ارسال، تحویل سفارش
🏬 department store, shop mall | فروشگاه بزرگ، پاساژ خرید
🏪 shop, convenience store | مغازه، فروشگاه
👗 dress, fashion clothes | پیراهن زنانه، لباس مد
👕 t-shirt, clothes | تی‌شرت، لباس
👖 jeans, trousers clothes | شلوار جین، لباس
🧥 coat, winter clothes | کت، پالتو لباس زمستان
👟 sneaker, shoe sport | کفش ورزشی، کتانی
👠 high heel, shoe | کفش پاشنه‌بلند
👜 handbag, purse | کیف زنانه، کیف
🎒 backpack, school bag | کوله‌پشتی، مدرسه کیف
👓 glasses, eyewear | عینک
🕶️ sunglasses, summer | عینک آفتابی، تابستان
⌚ watch, time wrist | ساعت مچی، زمان
💍 ring, wedding jewellery | انگشتر، حلقه ازدواج جواهر
💄 lipstick, beauty makeup | رژ لب، آرایش زیبایی
🧴 lotion, skin care | لوسیون، پوست کرم
📱 phone, mobile app | گوشی، موبایل اپ برنامه
💻 laptop, computer | لپ‌تاپ، رایانه
🖥️ desktop computer, screen | رایانه، نمایشگر
🖨️ printer, print | چاپگر، چاپ
📷 camera, photo | دوربین، عکس
📺 television, tv | تلویزیون
🔋 battery, charge power | باتری، شارژ
🔌 plug, power electric | دوشاخه، برق
💡 light bulb, idea tip | لامپ، ایده نکته
🛋️ sofa, furniture home | مبل، خانه
🛏️ bed, sleep home | تخت، خواب خانه
🧸 teddy bear, toy child | عروسک خرس، اسباب‌بازی کودک
`
