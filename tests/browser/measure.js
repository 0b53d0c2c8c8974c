/* SPDX-License-Identifier: MIT */
/* What is wrong with the page, as a list of words. MEASURE_WIDTH and MEASURE_SIMULATED are put in. */
(() => {
	const faults = [];
	const width = MEASURE_WIDTH;
	const slack = 1.5; /* pixels */

	const words = element => element.textContent.trim().slice(0, 60);
	const scrolls = element => element.closest(".table, figure");

	/* ---- nothing is wider than the page ---- */
	const root = document.documentElement;
	if (root.scrollWidth > width + slack)
		faults.push(`the page is ${root.scrollWidth} wide, the window ${width}`);
	for (const element of document.querySelectorAll("body *")) {
		const box = element.getBoundingClientRect();
		if (box.width && box.right > width + slack && !scrolls(element.parentElement))
			faults.push(`sticks out: ${element.tagName} ${words(element)}`);
	}

	/* ---- no two texts lie on each other ---- */
	const texts = [];
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const node = walker.currentNode;
		const svg = node.parentElement.closest("svg");
		if (!node.data.trim() || node.parentElement.closest("script, style, title"))
			continue;
		/* The mark across a simulated chart lies behind all else. */
		if (svg && node.data.trim() === "SIMULATED")
			continue;
		/* The box of a text that stands aslant is larger than the text. */
		const shape = svg ? node.parentElement.closest("text") : null;
		const matrix = shape ? shape.getScreenCTM() : null;
		const aslant = matrix && Math.abs(matrix.b) > 0.01;
		const range = document.createRange();
		range.selectNodeContents(node);
		for (const box of svg ? [node.parentElement.getBoundingClientRect()] : range.getClientRects())
			if (box.width > 0.5 && box.height > 0.5)
				texts.push({ box, svg, aslant, data: node.data.trim().slice(0, 60) });
	}
	texts.sort((a, b) => a.box.top - b.box.top);
	for (let i = 0; i < texts.length; i++) {
		for (let k = i + 1; k < texts.length && texts[k].box.top < texts[i].box.bottom; k++) {
			const a = texts[i].box, b = texts[k].box;
			const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
			const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
			/* Boxes of lines have room above and below the letters. */
			if (!texts[i].aslant && !texts[k].aslant && across > slack && down > 0.35 * Math.min(a.height, b.height) && texts[i].svg === texts[k].svg)
				faults.push(`overlap: '${texts[i].data}' and '${texts[k].data}'`);
		}
	}

	/* ---- no text of a chart is cut off ---- */
	for (const text of texts) {
		if (!text.svg)
			continue;
		const frame = text.svg.getBoundingClientRect();
		if (text.box.left < frame.left - slack || text.box.right > frame.right + slack ||
		    text.box.top < frame.top - slack || text.box.bottom > frame.bottom + slack)
			faults.push(`cut off: '${text.data}' in '${text.svg.querySelector("text").textContent.trim()}', ` +
				    `${[text.box.left - frame.left, frame.right - text.box.right, text.box.top - frame.top,
					frame.bottom - text.box.bottom].map(Math.round)}`);
	}
	for (const element of document.querySelectorAll("td, th, .key span, dt, h1, h2, h3, .banner"))
		if (element.scrollWidth > element.clientWidth + slack && getComputedStyle(element).overflowX !== "visible")
			faults.push(`cut off: ${words(element)}`);
	for (const bar of document.querySelectorAll(".bar"))
		if (bar.scrollWidth > bar.clientWidth + slack)
			faults.push(`a bar is longer than the page: ${words(bar.parentElement)}`);

	/* ---- letters stand out ---- */
	const channel = value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
	const parse = colour => (colour.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
	const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
	const behind = element => {
		for (; element; element = element.parentElement) {
			const colour = parse(getComputedStyle(element).backgroundColor);
			if (colour.length < 4 || colour[3] > 0.99)
				return colour;
		}
		return [255, 255, 255];
	};
	for (const element of document.querySelectorAll("h1, h2, h3, p, li, td, th, dt, .key span, .banner")) {
		if (element.closest("svg"))
			continue;
		const a = light(parse(getComputedStyle(element).color)), b = light(behind(element));
		const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (contrast < 4.5) {
			faults.push(`contrast ${contrast.toFixed(1)}: ${words(element)}`);
			break;
		}
	}

	/* ---- one file, and nothing in it runs ---- */
	for (const element of document.querySelectorAll("[src], [href], [srcset], [data], [action]"))
		for (const name of ["src", "href", "srcset", "data", "action"])
			if (element.hasAttribute(name) && !/^(data:image\/svg\+xml;base64,|#)/.test(element.getAttribute(name)))
				faults.push(`asks for ${element.getAttribute(name).slice(0, 60)}`);
	for (const element of document.querySelectorAll("script, iframe, object, embed, link, base, form"))
		faults.push(`has a ${element.tagName}`);
	for (const element of document.querySelectorAll("*"))
		for (const attribute of element.attributes)
			if (/^on/i.test(attribute.name))
				faults.push(`has ${attribute.name}`);
	for (const image of document.images)
		if (!image.complete || !image.naturalWidth)
			faults.push(`a chart is no picture: ${image.alt}`);
	if (window.ran)
		faults.push("something ran");

	/* ---- what is simulated says so ---- */
	if (MEASURE_SIMULATED) {
		const banner = document.querySelector(".banner, svg");
		if (!banner || !banner.textContent.includes("SIMULATED") || !banner.getBoundingClientRect().height)
			faults.push("SIMULATED is not to be seen");
		if (document.querySelector("h1") && !(document.title.includes("SIMULATED") &&
						      document.querySelector("h1").textContent.includes("SIMULATED")))
			faults.push("the title does not say SIMULATED");
	}

	return [...new Set(faults)].slice(0, 400);
})();
