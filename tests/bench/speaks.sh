#!/usr/bin/env bash
# The benchmark can take each of its figures and prints them as it should; how large they are is not looked at.
source "$(dirname "$0")/../repo/report.sh"
bench=$1
names="start_to_first_frame input_to_list_64 list_to_pixels_12x64 export_png_12 export_png_64 export_svg_12 export_pdf_12
all_stages_L64_d512_h8 all_stages_L512_d512_h8 all_stages_L1024_d768_h12
gpt2_full_32 gpt2_append_1 gpt2_append_1_weights_read_once gpt2_append_1_in_reads gpt2_open
gpt2_rss gpt2_rss_all_tensors gpt2_rss_time gpt2_rss_1000 gpt2_rss_1000_all_tensors gpt2_rss_1000_time inputs_to_list_1000"
for tokens in 256 1000; do # one step of each stage, of the ways to look at Softmax, of Compare and of the settings
    names+=" input_to_list_$tokens"
    for look in embed project scores scale mask softmax wsum concat output own_range lines all_lines threshold hidden zoomed average \
        compare compare_heads settings; do
        names+=" step_to_list_${tokens}_$look"
    done
done

said=$("$bench" --quick) || complain "the benchmark failed"
[[ ${said%%$'\n'*} == '# '* ]] || complain "the first line does not tell the machine: ${said%%$'\n'*}"
for name in $names; do
    grep -qP "^$name\t[0-9]+\.[0-9]+\t(ms|MiB|x)\$" <<<"$said" || complain "no figure $name in: $said"
done
[ "$(grep -vc '^#' <<<"$said")" -eq "$(wc -w <<<"$names")" ] || complain "other lines than figures: $said"
[ "$("$bench" --quick --only export_png_12 | grep -vc '^#')" -eq 1 ] || complain "--only does not take one figure"
code=0
"$bench" --only nothing >/dev/null 2>&1 || code=$?
[ $code -eq 2 ] || complain "an unknown figure ends with $code, not 2"
finish "$(wc -w <<<"$names") figures"
