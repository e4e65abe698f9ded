/* The command line as a whole. */
#ifndef APP_CLI_H
#define APP_CLI_H

/* Everything: parse, run, report. What main returns. */
int cli_main(int argc, char **argv);

#endif
