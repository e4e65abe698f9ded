#!/usr/bin/env bash
# Films as people get them: how many frames, how long, what they show; the same bytes every time; nothing stays of one given up.
# ImageMagick reads them, which has decoders of its own.
source "$(dirname "$0")/../repo/report.sh"
program=$1 folder=$2
command -v identify >/dev/null || { echo "skipped: ImageMagick is not installed"; exit 77; }
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
export() { "$program" export "$@"; }

# Softmax of three tokens takes 4 s at speed 1 and never more than 8 (doc/film.h); a GIF rests 2 s at its end.
export "The cat sat" --stage softmax --head 1 --size 700x600 -o a.gif
export "The cat sat" --stage softmax --head 1 --size 700x600 -o b.gif
cmp -s a.gif b.gif || complain "two films of the same are not the same"
frames=$(identify -format '%n\n' a.gif | head -1)
delays=$(identify -format '%T\n' a.gif | sort -n | uniq -c | tr -s ' \n' ' ')
[ "$frames" -ge 40 ] && [ "$frames" -le 81 ] || complain "a film of $frames frames"
[ "$delays" = " $((frames - 1)) 10 1 200 " ] || complain "delays:$delays"
[ "$(identify -format '%g\n' a.gif | sed -n 1p | cut -d+ -f1)" = 700x600 ] || complain "the film has another size"

# Its last frame is the picture of the finished stage; its first one is not.
export "The cat sat" --stage softmax --head 1 --size 700x600 -o end.png
convert a.gif -coalesce frame-%03d.png
last=$(printf 'frame-%03d.png' $((frames - 1)))
far() { compare -metric MAE "$1" "$2" null: 2>&1 | sed 's/.*(\(.*\))/\1/'; } # mean difference, 0 to 1
awk "BEGIN { exit !($(far "$last" end.png) < 0.002) }" || complain "the last frame is $(far "$last" end.png) from the picture"
awk "BEGIN { exit !($(far frame-000.png end.png) > 0.02) }" || complain "the first frame is the last one"

# Faster, fewer: 25 a second are 4 hundredths; speed 2 takes half as long.
export "The cat sat" --stage softmax --head 1 --size 700x600 --fps 25 --do "speed 2" -o c.gif
faster=$(identify -format '%n\n' c.gif | head -1)
[ "$(identify -format '%T\n' c.gif | head -1)" = 4 ] || complain "25 a second are not 4 hundredths"
awk "BEGIN { exit !($faster > 1.15 * $frames && $faster < 1.35 * $frames) }" || complain "$faster frames at 25 a second and double speed, $frames before"

# Numbered pictures and the stream show the same frames, exactly.
export "The cat sat" --stage softmax --head 1 --size 700x600 --film -o film.png
[ "$(ls film-*.png | wc -l)" -eq "$frames" ] || complain "$(ls film-*.png | wc -l) pictures, $frames frames"
export "The cat sat" --stage softmax --head 1 --size 700x600 --frames - >stream.ppm
[ "$(stat -c %s stream.ppm)" -eq $((frames * (15 + 3 * 700 * 600))) ] || complain "the stream has $(stat -c %s stream.ppm) bytes" # "P6\n700 600\n255\n"
head -c $((15 + 3 * 700 * 600)) stream.ppm >first.ppm
[ "$(compare -metric AE first.ppm film-0001.png null: 2>&1)" = 0 ] || complain "the stream's first frame is another one"

# A whole film goes through all nine stages.
export "a b" --size 320x240 -o whole.gif
all=$(identify -format '%n\n' whole.gif | head -1)
[ "$all" -ge 270 ] && [ "$all" -le 721 ] || complain "nine stages in $all frames"

# Sheets of some stages are larger than others: all frames have the largest one's size.
export "a b" --head all -o sheet.gif
[ "$(identify -format '%g\n' sheet.gif | cut -d+ -f1 | sort -u | wc -l)" -eq 1 ] || complain "frames of several sizes"

# Given up: Ctrl+C leaves no file, and the exit code says so. A full disk too.
mkdir given && (cd given && timeout --preserve-status -s INT 1 "$program" export "The cat sat down" -o film.gif 2>err; echo $? >code) || true
[ "$(cat given/code)" = 2 ] && grep -q "given up" given/err || complain "given up: code $(cat given/code), $(cat given/err)"
[ "$(ls given | tr '\n' ' ')" = "code err " ] || complain "left behind: $(ls -A given)"
code=0; export "a" --stage embed -o /dev/full --format gif 2>err || code=$?
[ $code -eq 2 ] && grep -qi "space" err || complain "a full disk: code $code, $(cat err)"
code=0; export "a" -o nowhere/film.gif 2>err || code=$?
[ $code -eq 2 ] && grep -q "nowhere/film.gif" err || complain "a missing folder: code $code, $(cat err)"
code=0; export "a" -o a.png --fps 10 2>err || code=$?
[ $code -eq 2 ] && grep -q -- "--film" err || complain "--fps without a film: code $code, $(cat err)"
code=0; export "a" --film -o - 2>err || code=$?
[ $code -eq 2 ] || complain "a film on standard output: code $code, $(cat err)"
finish "$frames frames"
