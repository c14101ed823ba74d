/** @import { Details, Geometry, Piece, Scene, Site } from "../core/types.js" */
import { svg } from "../core/index.js";

/** The layers of a board, from the bottom to the top. */
const LAYERS = /** @type {const} */ ([
    "lines", "sites", "grain", "last", "labels", "glow", "counts", "pieces", "next", "marks", "advice", "drawings",
    "continuations", "ghost", "targets", "dragged",
]);

/** The distance of a piece's shadow from the piece. */
const SHADOW_OFFSET = { x: 0.02, y: -0.045, turn: 0 };

/**
 * A board in SVG that shows only the data of `query board` and `query scene`.
 *
 * The y of the data grows upwards, and the y of SVG grows downwards. {@link toSvg} converts each
 * point once. The style sheet determines the style by the classes of sites, kinds and marks.
 */
export class Board {
    /** @type {SVGSVGElement} */
    element;
    /** @type {Geometry} */
    geometry;
    /** @type {Map<string, Site>} */
    sites = new Map();
    /** @type {Map<string, SVGPathElement>} The outlines of the sites by their ids. */
    outlines = new Map();
    /** @type {Map<string, SVGGElement>} The pieces by their sites. */
    pieces = new Map();
    /** @type {Record<typeof LAYERS[number], SVGGElement>} */
    layers;
    /** Whether the second side is at the bottom. */
    flipped = false;
    /** The size of letters relative to those of a board that fills the page. */
    #labelScale;
    /** @type {Map<string, string>} The view box of an icon by the kind of piece, once it is measured. */
    #iconBoxes = new Map();

    /**
     * @param {SVGSVGElement} element An element on the page, because the drawing is measured.
     * @param {Geometry} geometry
     * @param {number} labelScale The size of letters relative to those of a board that fills the page.
     */
    constructor(element, geometry, labelScale = 1) {
        this.element = element;
        this.#labelScale = labelScale;
        const layers = LAYERS.map((name) => [name, svg("g", { class: name })]);
        this.layers = Object.fromEntries(layers);
        element.replaceChildren(...Object.values(this.layers));
        this.setGeometry(geometry);
    }

    /** Draws another board. @param {Geometry} geometry */
    setGeometry(geometry) {
        this.geometry = geometry;
        this.#iconBoxes.clear();
        this.sites = new Map(geometry.sites.map((site) => [site.id, site]));
        const has = (/** @type {string} */ word) => geometry.sites.some((site) => site.class.split(" ").includes(word));
        // The classes are the words of the sides, and the kinds of sites. The element may still have the
        // classes of another board.
        const { classList } = this.element;
        classList.remove(...[...classList].filter((name) => /^(first|second)-/.test(name)));
        classList.add(`first-${geometry.sides[0]}`, `second-${geometry.sides[1]}`);
        classList.toggle("grooved", has("groove"));
        classList.toggle("celled", has("cell"));
        this.#drawStaticParts();
    }

    /** Turns the board. The caller must show the scene again. @param {boolean} flipped */
    setFlipped(flipped) {
        if (this.flipped === flipped) return;
        this.flipped = flipped;
        this.#drawStaticParts();
    }

    /**
     * Crops the board to the part around these sites. The caller must show the scene first.
     *
     * @param {string[]} corners
     */
    crop(corners) {
        const seen = corners.flatMap((id) => this.sites.get(id) ?? []);
        if (seen.length < 2) return;
        const least = (/** @type {Site[]} */ sites) => Math.min(...sites.map(({ x }) => x));
        const lowest = (/** @type {Site[]} */ sites) => Math.min(...sites.map(({ y }) => y));
        const left = least(seen);
        const bottom = lowest(seen);
        const right = Math.max(...seen.map(({ x }) => x));
        const top = Math.max(...seen.map(({ y }) => y));
        const edge = 0.6;
        const frame = 1;
        this.#setViewBox(left - frame, -top - edge, right - left + edge + frame, top - bottom + edge + frame);
        // Pieces next to this part are hidden, because the edge would cut them.
        const near = 0.3;
        for (const [id, piece] of this.pieces) {
            const { x, y } = /** @type {Site} */ (this.sites.get(id));
            if (x < left - near || x > right + near || y < bottom - near || y > top + near) piece.remove();
        }
        // The labels of the border and their frame move to the edge of this part.
        const first = least(this.geometry.sites);
        const lowestOfAll = lowest(this.geometry.sites);
        this.#drawLabels(this.geometry.labels.flatMap((label) => {
            const { x, y } = label;
            if (x < first) return y < bottom || y > top ? [] : [{ ...label, x: left - 0.8 }];
            if (y < lowestOfAll) return x < left || x > right ? [] : [{ ...label, y: bottom - 0.8 }];
            return [label];
        }), right - left + 1);
        const width = right - left + edge + frame;
        const height = top - bottom + edge + frame;
        this.layers.labels.prepend(
            svg("rect", { class: "frame", x: left - frame, y: -top - edge, width: frame - edge, height }),
            svg("rect", { class: "frame", x: left - frame, y: edge - bottom, width, height: frame - edge }),
        );
    }

    /** Converts a point of the data to SVG. @param {number} x @param {number} y @returns {[number, number]} */
    toSvg(x, y) {
        return this.flipped ? [-x, y] : [x, -y];
    }

    /**
     * Returns the transform of an element. The element must be drawn around the origin, in the axes
     * of the data.
     *
     * @param {{ x: number, y: number, turn: number }} place
     * @returns {string} The value of the attribute `transform`.
     */
    transformOf({ x, y, turn }) {
        const [across, down] = this.toSvg(x, y);
        return `translate(${across} ${down}) scale(1 -1) rotate(${turn})`;
    }

    /** Creates the outline of a site. @param {Site} site @param {string} name Its class. */
    createOutline(site, name) {
        return svg("path", { class: name, d: this.geometry.shapes[site.shape], transform: this.transformOf(site) });
    }

    /**
     * Creates the glow of a site: around its piece, or its own outline if it has no piece.
     *
     * @param {string} id
     * @param {string} name Its class.
     */
    createGlow(id, name) {
        const site = this.sites.get(id);
        if (!site) return [];
        const body = this.pieces.get(id)?.querySelector(".body");
        const d = body?.getAttribute("d") ?? this.geometry.shapes[site.shape];
        const className = `${name} ${body ? "taken" : site.class}`;
        return [svg("path", { class: className, d, transform: this.transformOf(site) })];
    }

    /**
     * Creates a piece. Pieces are upright in both orientations of the board.
     *
     * @param {{ kind: string, side: number | null }} piece
     * @param {{ x: number, y: number, turn: number }} place
     */
    createPiece({ kind, side }, place) {
        const d = this.geometry.kinds[kind];
        const emblem = this.geometry.emblems[kind];
        const owner = side === null ? "nobody" : `side-${side} ${this.geometry.sides[side]}`;
        // The shadow falls in the same direction, however the piece is turned.
        const { x, y } = rotatePoint(SHADOW_OFFSET, { x: 0, y: 0 }, -place.turn);
        return svg("g", { class: `piece ${kind} ${owner}`, transform: this.transformOf(place) },
            svg("path", { class: "shadow", d, transform: `translate(${x} ${y})` }), svg("path", { class: "body", d }),
            ...(emblem ? [svg("path", { class: "emblem", d: emblem })] : []));
    }

    /** Creates an icon of a kind of piece. @param {string} kind @param {number | null} side */
    createIcon(kind, side) {
        const drawn = this.createPiece({ kind, side }, { x: 0, y: 0, turn: 0 });
        const image = svg("svg", { class: `icon ${kind}` }, drawn);
        let box = this.#iconBoxes.get(kind);
        if (box === undefined) {
            // Only a rendered element can be measured.
            this.element.append(image);
            const { x, y, width, height } = drawn.getBBox();
            image.remove();
            const half = 0.05 + Math.max(Math.abs(x), Math.abs(y), x + width, y + height);
            box = `${-half} ${-half} ${2 * half} ${2 * half}`;
            this.#iconBoxes.set(kind, box);
        }
        image.setAttribute("viewBox", box);
        return image;
    }

    /** Draws the pieces and marks of a scene. @param {Scene} scene */
    showScene(scene) {
        const { pieces, marks, last } = this.layers;
        this.pieces.clear();
        pieces.replaceChildren(...scene.pieces.flatMap((piece) => this.#placePiece(piece)));
        last.replaceChildren(...scene.lastsites.flatMap((id) => {
            const site = this.sites.get(id);
            if (!site) return [];
            // A wall is longer than its site, and would cover the mark.
            if (/groove/.test(site.class)) return this.createGlow(id, "was");
            return [this.createOutline(site, `was ${site.class}`)];
        }));
        marks.replaceChildren(
            ...scene.marks.flatMap((mark) => this.#createMark(mark)),
            ...scene.arrows.map((arrow) => this.createArrow(arrow.from, arrow.to, `arrow ${arrow.kind}`)),
        );
    }

    /** Creates an arrow between two sites. @param {string} from @param {string} to @param {string} name Its class. */
    createArrow(from, to, name) {
        const start = this.sites.get(from);
        const end = this.sites.get(to);
        const group = svg("g", { class: name });
        if (!start || !end) return group;
        const [x1, y1] = this.toSvg(start.x, start.y);
        const [x2, y2] = this.toSvg(end.x, end.y);
        const length = Math.hypot(x2 - x1, y2 - y1);
        const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
        group.setAttribute("transform", `translate(${x1} ${y1}) rotate(${angle})`);
        group.append(
            svg("path", { class: "shaft", d: `M0.1 0H${length - 0.25}` }),
            svg("path", { class: "head", d: `M${length - 0.05} 0l-0.3 -0.16v0.32z` }),
            svg("path", { class: "bar", d: `M${length / 2 - 0.13} -0.13l0.26 0.26m0 -0.26l-0.26 0.26` }),
        );
        return group;
    }

    /**
     * Shows the effects of a move: pieces at their targets, and the arc of a turning piece.
     *
     * @param {Details | null} details The effects, or `null` to show none.
     * @param {string} name An additional class.
     */
    showGhost(details, name = "") {
        const layer = this.layers.ghost;
        layer.setAttribute("class", `ghost ${name}`);
        layer.replaceChildren();
        if (!details) return;
        for (const { site } of details.removed) {
            const place = this.sites.get(site);
            if (place) layer.append(this.createOutline(place, "gone"));
        }
        for (const { from, to } of details.moved) {
            const piece = this.pieces.get(from);
            const place = this.sites.get(to);
            if (!piece || !place) continue;
            const copy = /** @type {SVGGElement} */ (piece.cloneNode(true));
            copy.setAttribute("transform", this.transformOf(place));
            copy.classList.remove("lifted");
            const path = details.pivot === null ? this.createArrow(from, to, "arrow way")
                : this.#createArc(details, from);
            layer.append(copy, path);
        }
        for (const piece of details.placed) {
            const place = this.sites.get(piece.site);
            if (place) layer.append(this.createPiece(piece, place));
        }
    }

    /**
     * Creates the shapes of a move: an arrow along the path of each piece, the arc of a turning
     * piece, and the outlines of other targets.
     *
     * @param {Details} details
     */
    createMoveShapes(details) {
        const { moved, placed, path, pivot } = details;
        const single = path !== null && path.length > 2;
        const legs = single ? path.slice(1).map((to, index) => ({ from: path[index], to })) : moved;
        const goals = pivot === null ? legs.map(({ to }) => to) : [];
        const filled = [...placed.map(({ site }) => site), ...moved.map(({ to }) => to)];
        const places = [...new Set(filled)].filter((site) => !goals.includes(site));
        return [
            ...places.flatMap((id) => this.sites.get(id) ?? []).map((site) => this.createOutline(site, "area")),
            ...legs.map(({ from, to }) =>
                (pivot === null ? this.createArrow(from, to, "arrow") : this.#createArc(details, from))),
        ];
    }

    /** Creates the arc of a turning piece. @param {Details} details @param {string} from */
    #createArc({ pivot, direction, degrees }, from) {
        const centre = this.sites.get(pivot ?? "");
        const start = this.sites.get(from);
        if (!centre || !start) return svg("g");
        const points = [];
        for (let step = 0; step <= 12; step += 1) {
            const { x, y } = rotatePoint(start, centre, ((direction === "ccw" ? 1 : -1) * (degrees ?? 0) * step) / 12);
            points.push(this.toSvg(x, y).join(" "));
        }
        const [x, y] = this.toSvg(centre.x, centre.y);
        return svg("g", { class: "turning" },
            svg("path", { class: "shaft", d: `M${points.join("L")}` }),
            svg("circle", { class: "pivot", cx: x, cy: y, r: 0.16 }));
    }

    /** Draws the parts of the board that never change. */
    #drawStaticParts() {
        const { geometry, layers } = this;
        const [x, y, width, height] = geometry.box;
        const [x1, y1] = this.toSvg(x, y);
        const [x2, y2] = this.toSvg(x + width, y + height);
        this.#setViewBox(Math.min(x1, x2), Math.min(y1, y2), width, height);
        this.outlines = new Map(geometry.sites.map((site) =>
            [site.id, this.createOutline(site, `site ${site.class}`)]));
        const box = { x: Math.min(x1, x2), y: Math.min(y1, y2), width, height };
        layers.sites.replaceChildren(...this.outlines.values());
        layers.grain.replaceChildren(svg("rect", box));
        layers.lines.replaceChildren(...geometry.lines.map(([ax, ay, bx, by]) => {
            const start = this.toSvg(ax, ay);
            const end = this.toSvg(bx, by);
            return svg("line", { x1: start[0], y1: start[1], x2: end[0], y2: end[1] });
        }));
        this.#drawLabels(geometry.labels, width);
        const still = ["lines", "sites", "grain", "labels", "targets"];
        for (const name of LAYERS) if (!still.includes(name)) layers[name].replaceChildren();
    }

    /**
     * Draws labels. The labels of large boards are larger, because these boards are scaled down.
     *
     * @param {Geometry["labels"]} labels
     * @param {number} width The visible width of the board.
     */
    #drawLabels(labels, width) {
        this.layers.labels.setAttribute("font-size", String((0.08 + 0.016 * width) * this.#labelScale));
        this.layers.labels.replaceChildren(...labels.map((label) => {
            const [x, y] = this.toSvg(label.x, label.y);
            return svg("text", { x, y, dy: "0.35em", "aria-hidden": "true" }, label.text);
        }));
    }

    /** @param {number} x @param {number} y @param {number} width @param {number} height */
    #setViewBox(x, y, width, height) {
        this.element.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    }

    /** @param {Piece} piece */
    #placePiece(piece) {
        const site = this.sites.get(piece.site);
        if (!site) return [];
        const drawn = this.createPiece(piece, site);
        this.pieces.set(piece.site, drawn);
        return [drawn];
    }

    /** @param {{ kind: string, site: string }} mark */
    #createMark({ kind, site }) {
        const place = this.sites.get(site);
        if (!place) return [];
        const [x, y] = this.toSvg(place.x, place.y);
        // index.html has a symbol for each kind of mark.
        const use = { href: `#mark-${kind}`, x: -0.2, y: -0.2, width: 0.4, height: 0.4 };
        return [svg("g", { class: `mark ${kind}`, transform: `translate(${x} ${y})` }, svg("use", use))];
    }
}

/**
 * Rotates a position about a centre.
 *
 * @param {{ x: number, y: number, turn: number }} place
 * @param {{ x: number, y: number }} centre
 * @param {number} degrees Counter-clockwise.
 */
export function rotatePoint(place, centre, degrees) {
    const angle = (degrees * Math.PI) / 180;
    const dx = place.x - centre.x;
    const dy = place.y - centre.y;
    return {
        x: centre.x + dx * Math.cos(angle) - dy * Math.sin(angle),
        y: centre.y + dx * Math.sin(angle) + dy * Math.cos(angle),
        turn: place.turn + degrees,
    };
}
