# Draws one table of Tools/plots.sh: `table`, into `plot`, under `heading`.
set terminal svg size 720,400 font "sans-serif,13" background "white" linewidth 1.5 noenhanced
set output plot
set datafile separator "\t"
set datafile commentschars "#"
set datafile missing "-"
# Not a title, which would stand in the middle of the axes and reach over their left end.
set label heading at graph 0, graph 1.07 left font "sans-serif,14"
set tmargin 3
set logscale y
set xrange [*:*] noextend
set format y "%.0s %cs"
set xlabel system("sed -n '2s/\t.*//p' " . table)
set ylabel "time"
set grid xtics ytics linecolor rgb "#dddddd"
set border 3
set tics nomirror
set key outside right top reverse Left spacing 1.4
# Colours that can be told apart by those who see fewer.
set linetype 1 linecolor rgb "#0072b2" pointtype 7 linewidth 2
set linetype 2 linecolor rgb "#d55e00" pointtype 5
set linetype 3 linecolor rgb "#009e73" pointtype 9
set linetype 4 linecolor rgb "#999999" pointtype 13
most = int(system("tail -n 1 " . table . " | cut -f1"))
if (most <= 16) { set logscale x 2; set format x "%.0f" } else { set logscale x 10; set format x "%.0s%c" }
columns = int(system("sed -n '2p' " . table . " | awk -F'\t' '{ print NF }'"))
plot for [i = 2:columns] table using 1:(column(i) * 1e-9) with linespoints linetype i - 1 title columnheader(i)
