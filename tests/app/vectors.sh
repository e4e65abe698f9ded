#!/usr/bin/env bash
# Vector pictures as other programs read them: well formed, the picture of the PNG, every label as text, every number of a map.
source "$(dirname "$0")/../repo/report.sh"
program=$1 folder=$2
for tool in xmllint rsvg-convert compare python3 pdftotext pdffonts pdftoppm pdfimages; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
export() { "$program" export "$@" || complain "export $* failed"; }

long=Donaudampfschifffahrtsgesellschaftskapitaenin # 45 letters
sixty=$(printf 'w%d ' $(seq 60))
printf 'attnscope: 1\ntokens: ["a", "<b>", "&", "\\"c\\""]\nmask: custom\nkeep: [[1,0,0,0],[0,0,0,0],[1,1,1,0],[1,1,1,1]]\nempty_row: nan\n' >nan.yaml

# name, arguments: each as PNG and as SVG, with text and with outlines. How far they may be apart: letters are drawn by another
# program with other hinting, which is a few thousandths of all that there is.
while read -r name arguments; do
    eval "set -- $arguments"
    export "$@" -o $name.png
    export "$@" -o $name.svg
    export "$@" -o $name-again.svg
    export "$@" --outlines -o $name-outlines.svg
    cmp -s $name.svg $name-again.svg || complain "$name: written twice it differs"
    width=$(identify -format %w $name.png)
    for kind in "" -outlines; do
        xmllint --noout $name$kind.svg 2>err || complain "$name$kind: $(head -2 err)"
        rsvg-convert -w "$width" -o $name$kind-seen.png $name$kind.svg 2>err || complain "$name$kind: rsvg-convert: $(cat err)"
        far=$({ compare -metric MAE $name.png $name$kind-seen.png null: 2>&1 || true; } | sed 's/.*(\(.*\))/\1/')
        awk "BEGIN { exit !($far < 0.012) }" || complain "$name$kind: $far from the PNG"
    done
    export "$@" -o $name.pdf
    export "$@" -o $name-again.pdf
    cmp -s $name.pdf $name-again.pdf || complain "$name: the PDF written twice differs"
    pdftoppm -png -singlefile -scale-to-x "$width" -scale-to-y "$(identify -format %h $name.png)" $name.pdf $name-pdf
    far=$({ compare -metric MAE $name.png $name-pdf.png null: 2>&1 || true; } | sed 's/.*(\(.*\))/\1/')
    awk "BEGIN { exit !($far < 0.02) }" || complain "$name: the PDF is $far from the PNG"
    pdffonts $name.pdf | tail -n +3 >fonts
    [ -s fonts ] && ! grep -q 'Type 3' fonts && ! grep -qvE ' yes +yes +(yes|no) ' fonts || complain "$name: fonts of the PDF: $(cat fonts)"
    if grep -q '<text' $name-outlines.svg; then complain "$name: text is left in outlines"; fi
done <<CASES
screen "The cat sat on the mat" --stage softmax
dark "The cat sat on the mat" --stage scores --theme dark --lang zh
figure "The cat sat" --stage softmax --head 1 --theme print
heads "The cat sat" --stage softmax --head all
chinese "猫坐在垫子上" --tokenizer characters --stage softmax --head 2
long "$long sat" --stage softmax --head 1
sixty "$sixty" --stage softmax --head 1
nan nan.yaml --stage softmax --head 1
lines "The cat sat on the mat" --stage softmax --do "shape all-lines"
presented "The cat sat" --stage softmax --do present
CASES

# What is written in them: labels, values with their places, signs, and nothing outside of the page.
python3 - "$long" <<'PYTHON' || complain "what the SVG files hold"
import re, sys
import xml.etree.ElementTree as xml
S = "{http://www.w3.org/2000/svg}"
bad = []
def check(good, words):
    if not good: bad.append(words)
def read(name):
    root = xml.parse(name).getroot()
    return root, ["".join(t.itertext()) for t in root.iter(S + "text")], [r for r in root.iter(S + "rect") if r.get("data-row")]
root, texts, cells = read("figure.svg")
check(root.find(S + "title").text and root.find(S + "desc").text, "no title or description")
check({"The", "cat", "sat"} <= set(texts), f"labels: {texts}")
check(len(cells) == 9, f"{len(cells)} cells told")
value = {(int(c.get("data-row")), int(c.get("data-column"))): c for c in cells}
check(abs(sum(float(value[3, j].get("data-value")) for j in (1, 2, 3)) - 1) < 1e-6, "row 3 does not add up to 1")
check(value[1, 2].get("data-mark") == "masked" and float(value[1, 2].get("data-value")) == 0, "a hidden cell is not told to be hidden")
root, texts, cells = read("chinese.svg")
check({"猫", "坐", "在", "垫", "子", "上"} <= set(texts), f"Chinese labels: {texts}")
root, texts, cells = read("long.svg")
check(any(sys.argv[1][:30] in t for t in texts), "the long label is not there")
root, texts, cells = read("sixty.svg")
check({f"w{i}" for i in range(1, 61)} <= set(texts), "labels are left out")
check(len(cells) == 3600, f"{len(cells)} cells of 3600")
root, texts, cells = read("nan.svg")
check(sum(c.get("data-value") == "NaN" and c.get("data-mark") == "nan" for c in cells) == 4, "four cells that are not numbers")
check({"a", "<b>", "&", '"c"'} <= set(texts), f"escaped words: {texts}")
for name in ("figure", "long", "sixty", "chinese", "nan"):
    root, texts, cells = read(name + ".svg")
    box = [float(v) for v in root.get("viewBox").split()]
    for t in root.iter(S + "text"):
        if t.get("transform"): continue
        x, w, y = float(t.get("x")), float(t.get("textLength")), float(t.get("y"))
        check(x >= -0.01 and x + w <= box[2] + 0.01 and 0 <= y <= box[3], f"{name}: {''.join(t.itertext())} lies outside")
print("\n".join(bad))
sys.exit(bool(bad))
PYTHON

# Text of PDF files is found again; small maps are drawn, large ones are images.
for word in 猫 坐 在 垫 子 上; do
    pdftotext chinese.pdf - | grep -q "$word" || complain "$word is not found in the PDF"
done
pdftotext long.pdf - | grep -q "$long" || complain "the long word is not found in the PDF"
pdftotext -raw sixty.pdf - | tr ' ' '\n' | grep -E '^w[0-9]+$' | sort -u >words
[ "$(wc -l <words)" -eq 60 ] || complain "$(wc -l <words) of 60 names are found in the PDF"
[ "$(pdfimages -list sixty.pdf | tail -n +3 | wc -l)" -eq 0 ] || complain "a map of 3,600 cells is an image"
export "$(printf 'w%d ' $(seq 65))" --stage softmax --head 1 -o many.pdf # 4,225 cells
[ "$(pdfimages -list many.pdf | tail -n +3 | awk '$4 == 65 && $5 == 65' | wc -l)" -ge 1 ] || complain "a map of 4,225 cells is no image: $(pdfimages -list many.pdf)"
grep -qa '/Interpolate true' many.pdf && complain "it is smoothed"

# What is drawn, and how large on paper: 84 mm are 84 / 25.4 * 72 = 238.1 points, a column 3.25 * 72 = 234; with labels of 8 points,
# which are 15 units, a column is 234 / 8 * 15 = 438.75 units wide. In a PNG of one pixel a unit that is 438.75 / 3.25 / 0.0254 = 5315
# pixels a metre.
export "The cat sat" --stage softmax --head 1 --width 84mm -o paper.svg
grep -q 'width="238.11pt"' paper.svg || complain "84mm: $(head -c 200 paper.svg)"
export "The cat sat" --stage softmax --head 1 --width column --font 8pt -o column.svg
export "The cat sat" --stage softmax --head 1 --width column --font 8pt -o column.pdf
pdfinfo column.pdf | grep -q '^Page size: *234 x ' || complain "a column as PDF: $(pdfinfo column.pdf | grep Page.size)"
grep -q 'width="234pt"' column.svg && grep -q 'viewBox="0 0 438.75 ' column.svg || complain "a column: $(head -c 200 column.svg)"
export "The cat sat" --stage softmax --head 1 --width column --font 8pt -o column.png
[ "$(identify -units PixelsPerCentimeter -format '%x' column.png | cut -d. -f1)" = 53 ] || complain "a column as PNG: $(identify -format '%x %U' column.png)"
for what in screen map heads stages row; do
    export "The cat sat" --stage softmax --what $what -o what-$what.svg
    xmllint --noout what-$what.svg || complain "what $what"
done
[ "$(grep -c 'data-name="inspector' what-row.svg)" -ge 1 ] && ! grep -q 'Copy' what-row.svg || complain "the row's table has buttons, or is none"
for stage in Embed Project Scores Scale Mask Softmax "Weighted sum" Concat Output; do
    grep -q ">[1-9]  $stage<" what-stages.svg || complain "$stage is not on the sheet of stages"
done
export "The cat sat" --stage softmax --head 2 --preset textbook -o textbook.svg
grep -q ">Query Tokens<" textbook.svg && grep -q ">Key Tokens<" textbook.svg && grep -q '>0.943<' textbook.svg && grep -qi '#800026' textbook.svg ||
    complain "the textbook's figure" # e^3.5 / (e^3.5 + 2) = 0.943; the darkest YlOrRd of ColorBrewer is #800026
export "The cat sat" --stage softmax --head 2 --decimals 4 --without title,caption,legend -o bare.svg
grep -q '>0.9430<' bare.svg && ! grep -q 'Classroom' bare.svg && ! grep -q '>Attention' bare.svg || complain "four decimals and nothing else" # 33.1155 / 35.1155
export "The cat sat" --stage softmax --head 2 --without numbers -o colours.svg
grep -q '>0.94<' colours.svg && complain "numbers are left"
bad() { local code=0; "$program" export "The cat" -o bad.svg "${@:2}" 2>err || code=$?; [ $code -eq 2 ] && grep -qF -- "$1" err || complain "$*: code $code, $(cat err)"; }
bad "84mm" --width 3parsec
bad "18pt" --width 1mm
bad "3 to 72" --font 100
bad "0 to 4" --decimals 5
bad "numbers" --without labels
bad "textbook" --preset paper
bad "layers" --what everything

# It opens as what it shows.
export screen.svg -o back.svg
cmp -s screen.svg back.svg || complain "opened and written again it differs"
code=0; "$program" export /dev/stdin -o x.svg <<<'<svg/>' 2>/dev/null || code=$?
printf '<svg xmlns="http://www.w3.org/2000/svg"/>' >foreign.svg
code=0; "$program" export foreign.svg -o x.svg 2>err || code=$?
[ $code -eq 2 ] && grep -q "holds no scenario" err || complain "a foreign SVG: code $code, $(cat err)"
finish "$(ls *.svg | wc -l) files"
