location.replace(document.currentScript.dataset.to + location.hash)
