"""One turn of talk: what is asked, the states it goes through, the streamed answer, its history."""
