package main

// figures are what the thesis prints of a run: seconds, iterations, predicates (expressions,
// predicates with many values, branches; of BLAST all and the most at one place) and MB. A
// star is a run that was ended after three hours.
type figures struct{ seconds, iterations, predicates, memory string }

// recorded are the rows of tables 7.1 to 7.3 of [Chaki05] about OpenSSL.
var recorded = map[string]struct{ minimal, none, greedy, blast figures }{
	"srvr-1":  {minimal: figures{"226", "14", "5/4/2", "38"}, none: figures{"250", "12", "56/5/22", "43"}, greedy: figures{"*", "103", "16/3/5", "51"}, blast: figures{"2398", "16", "33/8", "175"}},
	"srvr-2":  {minimal: figures{"216", "14", "5/4/2", "38"}, none: figures{"752", "16", "72/6/30", "72"}, greedy: figures{"2106", "62", "8/4/3", "34"}, blast: figures{"691", "13", "68/8", "60"}},
	"srvr-3":  {minimal: figures{"200", "12", "5/4/2", "38"}, none: figures{"331", "12", "56/5/22", "47"}, greedy: figures{"*", "100", "22/3/7", "53"}, blast: figures{"1162", "14", "32/7", "103"}},
	"srvr-4":  {minimal: figures{"170", "9", "5/4/2", "38"}, none: figures{"677", "14", "63/6/26", "72"}, greedy: figures{"8465", "69", "14/4/5", "56"}, blast: figures{"284", "11", "27/5", "44"}},
	"srvr-5":  {minimal: figures{"205", "13", "5/4/2", "36"}, none: figures{"71", "5", "22/4/8", "24"}, greedy: figures{"*", "117", "23/5/9", "56"}, blast: figures{"1804", "19", "52/5", "71"}},
	"srvr-6":  {minimal: figures{"359", "14", "8/4/3", "89"}, none: figures{"11840", "23", "105/11/44", "1187"}, greedy: figures{"*", "84", "22/4/8", "337"}, blast: figures{"*", "39", "90/10", "805"}},
	"srvr-7":  {minimal: figures{"196", "11", "5/4/2", "38"}, none: figures{"2575", "20", "94/7/38", "192"}, greedy: figures{"*", "99", "19/3/6", "62"}, blast: figures{"359", "11", "76/9", "37"}},
	"srvr-8":  {minimal: figures{"211", "10", "8/4/3", "40"}, none: figures{"130", "8", "32/5/14", "58"}, greedy: figures{"*", "97", "19/4/7", "142"}, blast: figures{"*", "25", "35/5", "266"}},
	"srvr-9":  {minimal: figures{"316", "20", "11/4/4", "38"}, none: figures{"2621", "15", "65/8/28", "183"}, greedy: figures{"8133", "99", "11/4/4", "69"}, blast: figures{"337", "10", "76/9", "36"}},
	"srvr-10": {minimal: figures{"241", "14", "8/4/3", "38"}, none: figures{"561", "16", "75/6/30", "73"}, greedy: figures{"*", "97", "12/3/4", "77"}, blast: figures{"8289", "20", "35/8", "148"}},
	"srvr-11": {minimal: figures{"356", "24", "8/4/3", "38"}, none: figures{"4014", "19", "89/8/36", "287"}, greedy: figures{"*", "87", "26/4/9", "65"}, blast: figures{"547", "11", "78/11", "51"}},
	"srvr-12": {minimal: figures{"301", "17", "8/4/3", "42"}, none: figures{"7627", "22", "102/9/42", "536"}, greedy: figures{"*", "122", "23/4/8", "180"}, blast: figures{"2434", "21", "80/8", "120"}},
	"srvr-13": {minimal: figures{"436", "29", "11/4/4", "38"}, none: figures{"3127", "17", "75/9/32", "498"}, greedy: figures{"*", "106", "19/4/7", "69"}, blast: figures{"608", "12", "79/12", "54"}},
	"srvr-14": {minimal: figures{"406", "20", "8/4/3", "52"}, none: figures{"7317", "22", "102/9/42", "721"}, greedy: figures{"*", "115", "18/3/6", "254"}, blast: figures{"10444", "27", "84/10", "278"}},
	"srvr-15": {minimal: figures{"179", "7", "8/4/3", "40"}, none: figures{"615", "15", "81/28/5", "188"}, greedy: figures{"2112", "37", "8/4/3", "118"}, blast: figures{"*", "31", "38/5", "436"}},
	"srvr-16": {minimal: figures{"356", "17", "8/4/3", "58"}, none: figures{"3413", "21", "98/8/40", "557"}, greedy: figures{"*", "103", "22/3/7", "405"}, blast: figures{"*", "33", "87/10", "480"}},
	"clnt-1":  {minimal: figures{"156", "12", "5/4/2", "31"}, none: figures{"110", "10", "43/4/18", "25"}, greedy: figures{"225", "27", "5/4/2", "20"}, blast: figures{"348", "16", "28/5", "43"}},
	"clnt-2":  {minimal: figures{"185", "18", "5/4/2", "29"}, none: figures{"156", "11", "53/5/20", "31"}, greedy: figures{"1393", "63", "5/4/2", "23"}, blast: figures{"523", "15", "28/4", "52"}},
	"clnt-3":  {minimal: figures{"195", "21", "5/4/2", "29"}, none: figures{"421", "13", "52/7/24", "58"}, greedy: figures{"*", "136", "29/4/10", "28"}, blast: figures{"469", "14", "29/5", "49"}},
	"clnt-4":  {minimal: figures{"191", "19", "5/4/2", "29"}, none: figures{"125", "10", "35/5/18", "27"}, greedy: figures{"152", "29", "5/4/2", "20"}, blast: figures{"380", "13", "27/4", "45"}},
}

// twoLevels is a row of tables 9.2 and 9.3: states, predicate refinements, refinements of
// quotients, seconds, and MB where they are printed.
type twoLevels struct {
	states, iterations, seconds, memory      string // predicates only
	states2, below, above, seconds2, memory2 string
}

// tables9 are table 9.2, eight servers and eight clients, and table 9.3, both together. Which
// properties these were is not printed.
var tables9 = []twoLevels{
	{"597", "4", "141", "", "114", "7", "193", "180", ""},
	{"1038", "10", "191", "", "114", "11", "275", "210", ""},
	{"849", "14", "229", "", "135", "13", "431", "243", ""},
	{"525", "1", "18", "", "3", "1", "0", "19", ""},
	{"55363", "48", "762", "", "2597", "32", "4432", "1813", ""},
	{"3672", "14", "256", "", "930", "14", "1009", "390", ""},
	{"60570", "120", "3388", "", "636", "8", "508", "274", ""},
	{"3600", "14", "251", "", "750", "11", "662", "322", ""},
	{"1242", "19", "222", "", "186", "16", "463", "226", ""},
	{"1029", "18", "246", "", "252", "18", "978", "303", ""},
	{"705", "12", "196", "", "213", "12", "644", "226", ""},
	{"1038", "16", "206", "", "213", "14", "509", "216", ""},
	{"2422", "16", "230", "", "483", "8", "366", "190", ""},
	{"2338", "15", "218", "", "658", "16", "726", "273", ""},
	{"2366", "19", "250", "", "665", "15", "716", "269", ""},
	{"2422", "20", "257", "", "609", "15", "710", "274", ""},
	{"157266", "12", "886", "1023", "15840", "13", "742", "1081", "122"},
	{"201940", "18", "1645", "1070", "6072", "10", "547", "500", "64"},
	{"203728", "12", "1069", "1003", "20172", "13", "908", "1805", "130"},
	{"201940", "17", "1184", "640", "7808", "11", "439", "482", "69"},
	{"184060", "16", "1355", "780", "6240", "8", "384", "407", "64"},
	{"158898", "11", "695", "426", "2310", "5", "195", "219", "56"},
	{"103566", "10", "447", "250", "7743", "11", "513", "472", "74"},
	{"161580", "14", "1071", "945", "4617", "11", "464", "387", "64"},
	{"214989", "13", "1515", "1475", "13800", "8", "471", "716", "106"},
	{"118353", "10", "628", "663", "3024", "12", "550", "402", "60"},
	{"204708", "8", "794", "1131", "8820", "5", "306", "446", "79"},
	{"121170", "5", "303", "373", "2079", "5", "152", "204", "56"},
	{"152796", "12", "579", "361", "3780", "10", "404", "349", "60"},
}

// table91 is table 9.1: lines, what they are, and states, iterations and ms with one level and
// with two.
var table91 = [][8]string{
	{"27", "pthread_mutex_lock", "26", "1", "52", "16", "3", "54"},
	{"24", "pthread_mutex_unlock", "27", "1", "51", "13", "2", "56"},
	{"60", "socket", "187", "3", "1752", "44", "25", "2009"},
	{"24", "sock_alloc", "50", "2", "141", "14", "4", "154"},
	{"4", "sys_send", "7", "1", "92", "6", "1", "93"},
	{"11", "sock_sendmsg", "23", "1", "108", "14", "3", "113"},
	{"27", "modified pthread_mutex_lock", "23", "1", "59", "14", "2", "61"},
	{"24", "modified pthread_mutex_unlock", "27", "1", "61", "12", "2", "66"},
	{"24", "modified sock_alloc", "47", "1", "103", "9", "1", "106"},
	{"11", "modified sock_sendmsg", "21", "1", "96", "10", "1", "97"},
}
